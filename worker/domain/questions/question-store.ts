import { QUESTIONS_GROUPED_MAX } from '#contract/limits.ts'
import type { TurnRow } from '#worker/domain/tutor/turn-store.ts'

/** A question that the trainer has not settled. */
export interface OpenQuestion
  extends Pick<TurnRow, 'id' | 'userId' | 'stepId' | 'videoTimeMs' | 'question' | 'createdAt'> {
  /** 1 where the video has an answer, 0 where it has none; null while, and where, there was none given. */
  isCovered: 0 | 1 | null
}

/** The quick prompts of the chat, which the steps answer, ask nothing of the video. */
const IS_OPEN = `module_id = ?1 AND settled_at IS NULL AND answered_by IS NOT 'steps'`
const COUNT = `SELECT count(*) AS open FROM questions WHERE ${IS_OPEN}`
const NEWEST = `
  SELECT id, user_id AS userId, step_id AS stepId, video_time_ms AS videoTimeMs, question, created_at AS createdAt,
         is_covered AS isCovered
  FROM questions WHERE ${IS_OPEN} ORDER BY created_at DESC, id DESC LIMIT ${QUESTIONS_GROUPED_MAX}`

/** The newest questions about a module that are not settled, and how many there are in all. */
export async function readOpenQuestions(
  d1: D1Database,
  moduleId: string,
): Promise<{ newest: OpenQuestion[]; open: number }> {
  const [counted, newest] = await d1.batch([d1.prepare(COUNT).bind(moduleId), d1.prepare(NEWEST).bind(moduleId)])
  const [{ open } = { open: 0 }] = (counted?.results ?? []) as { open: number }[]
  return { newest: (newest?.results ?? []) as OpenQuestion[], open }
}

const NAMED = `module_id = ?1 AND id IN (SELECT value FROM json_each(?2))`
const SETTLE = `UPDATE questions SET settled_at = ?3 WHERE ${NAMED} AND settled_at IS NULL`
const REOPEN = `UPDATE questions SET settled_at = NULL WHERE ${NAMED} AND settled_at IS NOT NULL`

/** Takes questions about a module off the list; ids of other modules and unknown ones are left alone. */
export async function settleQuestions(
  d1: D1Database,
  { moduleId, ids, nowMs }: { moduleId: string; ids: readonly string[]; nowMs: number },
): Promise<void> {
  await d1.prepare(SETTLE).bind(moduleId, JSON.stringify(ids), nowMs).run()
}

/** Brings questions about a module back onto the list. */
export async function reopenQuestions(
  d1: D1Database,
  { moduleId, ids }: { moduleId: string; ids: readonly string[] },
): Promise<void> {
  await d1.prepare(REOPEN).bind(moduleId, JSON.stringify(ids)).run()
}
