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
