import type { TimeRanges } from '#contract/time-ranges.ts'

/** A learner as downloads tell of one. */
export interface ExportedLearner {
  /** As stored; never to be shown. */
  learnerId: string
  seen: TimeRanges
  seenSeconds: number
  positionS: number
  completedAtMs: number | null
  firstAtMs: number
  lastAtMs: number
}

/** One opened page of a learner. */
export interface ExportedSession {
  learnerId: string
  sessionId: string
  /** As the xAPI video profile writes played segments. */
  played: string
  positionS: number
  startedAtMs: number
  lastAtMs: number
}

/** Learners that are read at once: of a hundred thousand a request asks a hundred times. */
const AT_ONCE = 1_000

const LEARNERS = `
  SELECT learner_id AS learnerId, seen, seen_seconds AS seenSeconds, position_s AS positionS,
         completed_at AS completedAtMs, first_at AS firstAtMs, last_at AS lastAtMs
  FROM learners WHERE module_id = ?1 AND learner_id > ?2 ORDER BY learner_id LIMIT ${AT_ONCE}`
const SESSIONS = `
  SELECT learner_id AS learnerId, session_id AS sessionId, played, position_s AS positionS,
         started_at AS startedAtMs, last_at AS lastAtMs
  FROM learning_sessions WHERE module_id = ?1 AND learner_id BETWEEN ?2 AND ?3 ORDER BY learner_id, started_at`

/** All learners of a module, some at a time. */
export async function* readLearners(d1: D1Database, moduleId: string): AsyncGenerator<ExportedLearner[]> {
  for (let last = ''; ; ) {
    const rows = await d1.prepare(LEARNERS).bind(moduleId, last).all<Omit<ExportedLearner, 'seen'> & { seen: string }>()
    const learners = rows.results.map((row) => ({ ...row, seen: JSON.parse(row.seen) as TimeRanges }))
    const end = learners.at(-1)
    if (end === undefined) return
    yield learners
    if (learners.length < AT_ONCE) return
    last = end.learnerId
  }
}

/** What these learners have played, by learner, in the order of their visits. */
export async function readSessions(
  d1: D1Database,
  moduleId: string,
  learners: readonly ExportedLearner[],
): Promise<Map<string, ExportedSession[]>> {
  const [first, last] = [learners[0]?.learnerId ?? '', learners.at(-1)?.learnerId ?? '']
  const { results } = await d1.prepare(SESSIONS).bind(moduleId, first, last).all<ExportedSession>()
  return Map.groupBy(results, ({ learnerId }) => learnerId)
}
