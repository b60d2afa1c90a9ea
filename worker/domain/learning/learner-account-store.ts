import type { TimeRanges } from '#contract/time-ranges.ts'
import { ALL_COUNTED } from '#worker/db/learning-tables.ts'
import { COMPLETED_AT } from './export-store.ts'

/** What one learner has seen of one module. */
export interface SeenModule {
  moduleId: string
  seen: TimeRanges
  positionS: number
  completedAt: number | null
  firstAt: number
  lastAt: number
}

const SEEN = `
  SELECT l.module_id AS moduleId, l.seen, l.position_s AS positionS, ${COMPLETED_AT} AS completedAt,
         l.first_at AS firstAt, l.last_at AS lastAt
  FROM learners AS l LEFT JOIN modules AS m ON m.id = l.module_id
  WHERE l.learner_id = ?1 AND l.module_id > ?2 ORDER BY l.module_id LIMIT ?3`

/** Modules that a learner has seen something of, by their ids, after one of them. */
export async function listSeenModules(
  d1: D1Database,
  learnerId: string,
  { after, limit }: { after: SeenModule | null; limit: number },
): Promise<SeenModule[]> {
  const rows = d1.prepare(SEEN).bind(learnerId, after?.moduleId ?? '', limit)
  const { results } = await rows.all<Omit<SeenModule, 'seen'> & { seen: string }>()
  return results.map((row) => ({ ...row, seen: JSON.parse(row.seen) as TimeRanges }))
}

/** What one page of a learner played of one module. */
export interface PlayedSession {
  moduleId: string
  sessionId: string
  played: string
  positionS: number
  startedAt: number
  lastAt: number
}

const SESSIONS = `
  SELECT s.module_id AS moduleId, s.session_id AS sessionId, s.played, s.position_s AS positionS,
         s.started_at AS startedAt, s.last_at AS lastAt
  FROM learners AS l JOIN learning_sessions AS s ON s.module_id = l.module_id AND s.learner_id = l.learner_id
  WHERE l.learner_id = ?1 AND l.module_id >= ?2 AND (s.module_id, s.session_id) > (?2, ?3)
  ORDER BY s.module_id, s.session_id LIMIT ?4`

/** Lists a learner's sessions by module and id, after one of them. */
export async function listSessionsOf(
  d1: D1Database,
  learnerId: string,
  { after, limit }: { after: PlayedSession | null; limit: number },
): Promise<PlayedSession[]> {
  const rows = d1.prepare(SESSIONS).bind(learnerId, after?.moduleId ?? '', after?.sessionId ?? '', limit)
  return (await rows.all<PlayedSession>()).results
}

/** Modules of a learner that are renamed at once. */
const RENAMED_MAX = 500
const SOME = `SELECT module_id FROM learners WHERE learner_id = ?1 AND first_at <= ?3
  ORDER BY module_id LIMIT ${RENAMED_MAX}`
/** Under the other name a learner would be missed by a recount that has come half way, or counted twice. */
const RESTART_RECOUNTS = `UPDATE learning_steps SET counted_to = '' WHERE counted_to <> '${ALL_COUNTED}'
  AND module_id IN (${SOME}) AND ?2 = ?2`
const RENAME = (table: string) => `UPDATE ${table} SET learner_id = ?2 WHERE learner_id = ?1 AND module_id IN (${SOME})`

/**
 * Gives a learner another name wherever they began by `beforeMs`, so that sums stay right but cannot be traced to a
 * person.
 * @returns false while there is more
 */
export async function renameLearner(
  d1: D1Database,
  { from, to, beforeMs }: { from: string; to: string; beforeMs: number },
): Promise<boolean> {
  const bind = (table: string) => d1.prepare(RENAME(table)).bind(from, to, beforeMs)
  const results = await d1.batch([
    d1.prepare(RESTART_RECOUNTS).bind(from, to, beforeMs),
    bind('learning_sessions'),
    bind('learners'),
  ])
  return (results.at(-1)?.meta.changes ?? 0) < RENAMED_MAX
}
