import { and, desc, eq, sql } from 'drizzle-orm'
import { TRAINER_ANSWERS_MAX } from '#contract/limits.ts'
import type { PrintedAnswer } from '#contract/version.ts'
import type { Db } from '#worker/db/db.ts'
import { IGNORED, trainerAnswers } from '#worker/db/learner-tables.ts'
import { modules } from '#worker/db/schema.ts'

/** What a trainer answered, as it is stored. */
export type AnswerRow = typeof trainerAnswers.$inferSelect

/** Lists what was answered about a module, the newest first. */
export function listAnswers(db: Db, moduleId: string): Promise<AnswerRow[]> {
  return db
    .select()
    .from(trainerAnswers)
    .where(eq(trainerAnswers.moduleId, moduleId))
    .orderBy(desc(trainerAnswers.answeredAt), desc(trainerAnswers.id))
    .limit(TRAINER_ANSWERS_MAX)
}

/** Answers of many modules that are compared with one question. */
const ANSWERS_OF_ALL_MAX = 500

/** Lists what was answered about those of some modules that people with the link may ask, the newest first. */
export function listAnswersForLinks(db: Db, moduleIds: readonly string[]): Promise<AnswerRow[]> {
  const isOfOne = sql`${trainerAnswers.moduleId} IN (SELECT value FROM json_each(${JSON.stringify(moduleIds)}))`
  const mayAsk = sql`EXISTS (SELECT 1 FROM ${modules}
    WHERE ${modules.id} = ${trainerAnswers.moduleId} AND ${modules.linkAnswersPerDay} IS NOT NULL)`
  return db
    .select()
    .from(trainerAnswers)
    .where(and(isOfOne, mayAsk))
    .orderBy(desc(trainerAnswers.answeredAt), desc(trainerAnswers.id))
    .limit(ANSWERS_OF_ALL_MAX)
}

/** Lists what was answered about a module that stands in print and in exports, as a version has it. */
export async function listPrinted(db: Db, moduleId: string): Promise<PrintedAnswer[]> {
  return selectPrinted(await listAnswers(db, moduleId))
}

/** Selects the answers that stand in print. */
export function selectPrinted(rows: readonly AnswerRow[]): PrintedAnswer[] {
  const printed = rows.filter(({ inPrint }) => inPrint)
  return printed.map(({ id, question, text, stepId, momentMs, stepsHash, answeredAt }) => {
    return { id, question, text, stepId, ...(momentMs !== null && { momentMs }), stepsHash, answeredAt }
  })
}

const INSERT = `
  INSERT INTO trainer_answers (id, module_id, question, wordings, text, step_id, steps_hash, in_print, answered_at,
    moment_ms)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
  WHERE (SELECT count(*) FROM trainer_answers WHERE module_id = ?2) < ${TRAINER_ANSWERS_MAX}`
const SETTLE = `
  UPDATE questions SET answer_id = ?3, settled_at = coalesce(settled_at, ?4)
  WHERE module_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND EXISTS (SELECT 1 FROM trainer_answers WHERE id = ?3)`

/**
 * Keeps an answer and settles the questions that it answers, in one transaction.
 * @param tell statements that have their askers told
 * @returns false when the module has {@link TRAINER_ANSWERS_MAX} answers
 */
export async function insertAnswer(
  d1: D1Database,
  row: AnswerRow,
  { questionIds, tell }: { questionIds: readonly string[]; tell: readonly D1PreparedStatement[] },
): Promise<boolean> {
  const { id, moduleId, question, wordings, text, stepId, momentMs, stepsHash, inPrint, answeredAt } = row
  const values = [
    id,
    moduleId,
    question,
    JSON.stringify(wordings),
    text,
    stepId,
    stepsHash,
    Number(inPrint),
    answeredAt,
    momentMs,
  ]
  const [inserted] = await d1.batch([
    d1.prepare(INSERT).bind(...values),
    d1.prepare(SETTLE).bind(moduleId, JSON.stringify(questionIds), id, answeredAt),
    ...tell,
  ])
  return (inserted?.meta.changes ?? 0) > 0
}

/** Changes an answer. @returns false when there is none of that id about the module */
export async function updateAnswer(
  db: Db,
  { id, moduleId }: Pick<AnswerRow, 'id' | 'moduleId'>,
  patch: Partial<Pick<AnswerRow, 'text' | 'inPrint' | 'stepId' | 'momentMs' | 'stepsHash'>>,
): Promise<boolean> {
  const which = and(eq(trainerAnswers.id, id), eq(trainerAnswers.moduleId, moduleId))
  return (await db.update(trainerAnswers).set(patch).where(which)).meta.changes > 0
}

/**
 * Removes an answer; its questions are on the list again, but for those of ignored devices.
 * @returns whether it stood in print; null when there is none of that id about the module
 */
export async function removeAnswer(
  d1: D1Database,
  { id, moduleId }: Pick<AnswerRow, 'id' | 'moduleId'>,
): Promise<boolean | null> {
  const [removed] = await d1.batch<{ inPrint: number }>([
    d1
      .prepare('DELETE FROM trainer_answers WHERE id = ?1 AND module_id = ?2 RETURNING in_print AS inPrint')
      .bind(id, moduleId),
    d1
      .prepare(
        `UPDATE questions SET answer_id = NULL, settled_at = iif(answered_by IS '${IGNORED}', settled_at, NULL)
         WHERE module_id = ?2 AND answer_id = ?1`,
      )
      .bind(id, moduleId),
  ])
  const [row] = removed?.results ?? []
  return row === undefined ? null : row.inPrint === 1
}

/** Removes all answers about a module that is erased. */
export async function removeAnswers(db: Db, moduleId: string): Promise<void> {
  await db.delete(trainerAnswers).where(eq(trainerAnswers.moduleId, moduleId))
}

/** Lists what one person asked the trainer of a module, the newest first, with the answers. */
export function listAsked(db: Db, { moduleId, userId, limit }: { moduleId: string; userId: string; limit: number }) {
  const asked = sql`SELECT question, asked_at AS askedAt, answer_id AS answerId FROM questions
    WHERE module_id = ${moduleId} AND user_id = ${userId} AND asked_at IS NOT NULL
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`
  return db.all<{ question: string; askedAt: number; answerId: string | null }>(asked)
}
