import type { TimeRanges } from '#contract/time-ranges.ts'

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
  SELECT module_id AS moduleId, seen, position_s AS positionS, completed_at AS completedAt, first_at AS firstAt,
         last_at AS lastAt
  FROM learners WHERE learner_id = ?1 AND module_id > ?2 ORDER BY module_id LIMIT ?3`

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
const RENAME = (table: string) => `UPDATE ${table} SET learner_id = ?2 WHERE learner_id = ?1 AND module_id IN (${SOME})`

/**
 * Gives a learner another name wherever they began by `beforeMs`, so that sums stay right and nobody can tell whose
 * they are.
 * @returns false while there is more
 */
export async function renameLearner(
  d1: D1Database,
  { from, to, beforeMs }: { from: string; to: string; beforeMs: number },
): Promise<boolean> {
  const bind = (table: string) => d1.prepare(RENAME(table)).bind(from, to, beforeMs)
  const results = await d1.batch([bind('learning_sessions'), bind('learners')])
  return (results.at(-1)?.meta.changes ?? 0) < RENAMED_MAX
}
