import { and, asc, count, desc, eq, inArray, isNull, lt, ne, notInArray, sql } from 'drizzle-orm'
import { EARLIER_TURNS_MAX, QUESTIONS_GROUPED_MAX } from '#contract/limits.ts'
import type { AnswerEnd, AnswerMeta } from '#contract/tutor.ts'
import { type Db, deleteInSteps, runSql } from '#worker/db/db.ts'
import { IGNORED, questions, tutorDays } from '#worker/db/learner-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'

/** A question with what was answered. */
export type TurnRow = typeof questions.$inferSelect

/** Whose turn in which conversation. */
export interface TurnKey {
  moduleId: string
  userId: string
  turnId: string
}

/** A question as it is asked. */
export type NewTurn = TurnKey & Pick<TurnRow, 'id' | 'stepId' | 'videoTimeMs' | 'question' | 'createdAt' | 'settledAt'>

/** Turns of a conversation that are shown; more than anybody scrolls through. */
const CONVERSATION_MAX_TURNS = 200

/** Lists the answered turns of a conversation that come right before a turn, the newest first. */
function selectEarlier(db: Db, { moduleId, userId, turnId }: TurnKey) {
  const isOfPerson = and(eq(questions.moduleId, moduleId), eq(questions.userId, userId))
  return db
    .select()
    .from(questions)
    .where(and(isOfPerson, ne(questions.turnId, turnId), ne(questions.answer, '')))
    .orderBy(desc(questions.createdAt), desc(questions.id))
    .limit(EARLIER_TURNS_MAX)
}

/**
 * Reads the state of a turn before it is answered.
 * @param day `2026-11-21`, UTC
 * @returns stored: null for a new one; earlier: the turns that came right before it, oldest first; modelAnswers: how
 * often a model was asked about the module on that day, and linkAnswers: how often by people with the link
 */
export async function readStanding(db: Db, key: TurnKey, day: string) {
  const [[stored], earlier, [spent]] = await db.batch([
    db.select().from(questions).where(isTurn(key)),
    selectEarlier(db, key),
    db
      .select({ modelAnswers: tutorDays.modelAnswers, linkAnswers: tutorDays.linkAnswers })
      .from(tutorDays)
      .where(and(eq(tutorDays.moduleId, key.moduleId), eq(tutorDays.day, day))),
  ])
  const counts = spent ?? { modelAnswers: 0, linkAnswers: 0 }
  return { stored: stored ?? null, earlier: earlier.reverse(), ...counts }
}

const INSERT = `
  INSERT INTO questions (id, module_id, user_id, turn_id, step_id, video_time_ms, question, created_at, settled_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING`
const SPEND = `
  INSERT INTO tutor_days (module_id, day, model_answers) SELECT ?2, ?3, 1 WHERE EXISTS (SELECT 1 FROM questions WHERE id = ?1)
  ON CONFLICT (module_id, day) DO UPDATE SET model_answers = model_answers + 1`

/**
 * Keeps a question; one that was asked before stays as it is.
 * @param spentOn the day on which a model is asked for its answer, which is counted; null when none is asked
 */
export async function insertTurn(d1: D1Database, turn: NewTurn, spentOn: string | null): Promise<void> {
  const { id, moduleId, userId, turnId, stepId, videoTimeMs, question, createdAt, settledAt } = turn
  const values = [id, moduleId, userId, turnId, stepId, videoTimeMs, question, createdAt, settledAt]
  const insert = d1.prepare(INSERT).bind(...values)
  if (spentOn === null) await insert.run()
  else await d1.batch([insert, d1.prepare(SPEND).bind(id, moduleId, spentOn)])
}

const TAKE_LINK_ANSWER = `
  INSERT INTO tutor_days (module_id, day, model_answers, link_answers) VALUES (?1, ?2, 1, 1)
  ON CONFLICT (module_id, day) DO UPDATE SET model_answers = model_answers + 1, link_answers = link_answers + 1
  WHERE link_answers < ?3`

/** Counts an answer that a model writes for a person with the link. @returns false where the day has no more of them */
export async function takeLinkAnswer(
  d1: D1Database,
  { moduleId, day, atMost }: { moduleId: string; day: string; atMost: number },
): Promise<boolean> {
  return (await runSql(d1, TAKE_LINK_ANSWER, moduleId, day, atMost)) > 0
}

/** How an answer ended. */
interface TurnEnd {
  answer: string
  end: AnswerEnd
  endedAt: number
  /** Null, the default, for an answer that did not come to its end. */
  meta?: AnswerMeta | null
  answeredBy?: string
}

const END = `
  UPDATE questions SET answer = ?4, outcome = ?5, meta = ?6, is_covered = ?6->>'isCovered', answered_by = ?7, ended_at = ?8,
         step_id = coalesce(step_id, ?6->>'$.step.id')
  WHERE module_id = ?1 AND user_id = ?2 AND turn_id = ?3
    AND (outcome IS NULL OR ?5 = 'complete' AND (outcome = 'broken' OR answer = ''))`

/** Ends a turn once; one of which nothing or a part was said may still become complete. What was forgotten stays so. */
export async function endTurn(d1: D1Database, { moduleId, userId, turnId }: TurnKey, ended: TurnEnd): Promise<void> {
  const { answer, end, endedAt, meta = null, answeredBy = 'none' } = ended
  const json = meta === null ? null : JSON.stringify(meta)
  await runSql(d1, END, moduleId, userId, turnId, answer, end, json, answeredBy, endedAt)
}

function isTurn({ moduleId, userId, turnId }: TurnKey) {
  return and(eq(questions.moduleId, moduleId), eq(questions.userId, userId), eq(questions.turnId, turnId))
}

/** @returns null when this person has not asked it */
export async function findTurn(db: Db, key: TurnKey): Promise<TurnRow | null> {
  return (await db.select().from(questions).where(isTurn(key)).get()) ?? null
}

/** The newest turns of one person with one module's tutor, oldest first; without what only the trainer was asked. */
export async function listTurns(db: Db, { moduleId, userId }: Omit<TurnKey, 'turnId'>): Promise<TurnRow[]> {
  const wasAskedTutor = sql`(${questions.end} IS NOT 'complete' OR ${questions.answer} <> '')`
  const newest = await db
    .select()
    .from(questions)
    .where(and(eq(questions.moduleId, moduleId), eq(questions.userId, userId), wasAskedTutor))
    .orderBy(desc(questions.createdAt), desc(questions.id))
    .limit(CONVERSATION_MAX_TURNS)
  return newest.reverse()
}

/**
 * Marks unfinished answers as broken that no room is streaming any more: the named ones, or all that were asked before
 * a time.
 * @returns how many
 */
export async function breakTurns(
  db: Db,
  which: { ids: readonly string[] } | { beforeMs: number },
  endedAt: number,
): Promise<number> {
  const isMeant = 'ids' in which ? inArray(questions.id, [...which.ids]) : lt(questions.createdAt, which.beforeMs)
  const isUnfinished = and(isNull(questions.end), isMeant)
  return (await db.update(questions).set({ end: 'broken', endedAt }).where(isUnfinished)).meta.changes
}

/** Forgets how often a model was asked on days before one. @returns how many sums went */
export async function removeDaysBefore(db: Db, day: string): Promise<number> {
  return (await db.delete(tutorDays).where(lt(tutorDays.day, day))).meta.changes
}

/** Forgets what one person and a module's tutor said. */
export async function removeTurns(db: Db, { moduleId, userId }: Omit<TurnKey, 'turnId'>): Promise<void> {
  await db.delete(questions).where(and(eq(questions.moduleId, moduleId), eq(questions.userId, userId)))
}

/** Accounts are not ignored, whatever the device was; what it asked stays settled. */
const MOVE = `
  UPDATE OR IGNORE questions SET user_id = ?3, answered_by = iif(answered_by = '${IGNORED}', 'none', answered_by)
  WHERE module_id = ?1 AND user_id = ?2`
/** A turn that the account has, too, is one question. */
const DROP_MOVED = 'DELETE FROM questions WHERE module_id = ?1 AND user_id = ?2'

/** Gives what one person asked about a module to another: a device whose person has signed in to the account. */
export async function moveTurns(
  d1: D1Database,
  { moduleId, from, to }: { moduleId: string; from: string; to: string },
): Promise<void> {
  await d1.batch([d1.prepare(MOVE).bind(moduleId, from, to), d1.prepare(DROP_MOVED).bind(moduleId, from)])
}

/** What one person asked, the oldest first, after one of it. */
export function listTurnsOf(db: Db, userId: string, { after, limit }: PageAt<TurnRow>): Promise<TurnRow[]> {
  const isLater = sql`(${questions.createdAt}, ${questions.id}) > (${after?.createdAt ?? 0}, ${after?.id ?? ''})`
  return db
    .select()
    .from(questions)
    .where(and(eq(questions.userId, userId), isLater))
    .orderBy(asc(questions.createdAt), asc(questions.id))
    .limit(limit)
}

/** Removes what one person asked by `beforeMs`. @returns false while there is more */
export function removeTurnsOf(db: Db, userId: string, beforeMs: number): Promise<boolean> {
  return deleteInSteps(db, questions, sql`${questions.userId} = ${userId} AND ${questions.createdAt} <= ${beforeMs}`)
}

/** Removes all questions about a module that is erased. @returns false while there are more */
export async function removeQuestions(db: Db, moduleId: string): Promise<boolean> {
  await db.delete(tutorDays).where(eq(tutorDays.moduleId, moduleId))
  return deleteInSteps(db, questions, eq(questions.moduleId, moduleId))
}

/** A question that the trainer has not settled. */
export type OpenQuestion = Awaited<ReturnType<typeof readOpenQuestions>>['newest'][number]

/**
 * The newest questions about a module that are not settled, and how many there are in all.
 * @param ownerIds who asked what is left out, also what they asked before they owned the module
 */
export async function readOpenQuestions(db: Db, moduleId: string, ownerIds: readonly string[]) {
  const { id, userId, stepId, videoTimeMs, question, createdAt, isCovered, askedAt } = questions
  // The quick prompts of the chat, which the steps answer, ask nothing of the video; ignored devices are not heard.
  const asksOfVideo = sql`coalesce(${questions.answeredBy}, '') NOT IN ('steps', ${sql.raw(`'${IGNORED}'`)})`
  const isLearners = notInArray(questions.userId, [...ownerIds])
  const isOpen = and(eq(questions.moduleId, moduleId), isNull(questions.settledAt), asksOfVideo, isLearners)
  const [[counted], newest] = await db.batch([
    db.select({ open: count() }).from(questions).where(isOpen),
    db
      .select({ id, userId, stepId, videoTimeMs, question, createdAt, isCovered, askedAt })
      .from(questions)
      .where(isOpen)
      .orderBy(desc(createdAt), desc(id))
      .limit(QUESTIONS_GROUPED_MAX),
  ])
  return { newest, open: counted?.open ?? 0 }
}

/** Lists the words in which some questions about a module were asked, each once. */
export async function listWordings(
  db: Db,
  { moduleId, ids, limit }: { moduleId: string; ids: readonly string[]; limit: number },
): Promise<string[]> {
  const isNamed = sql`${questions.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const rows = await db
    .selectDistinct({ text: questions.question })
    .from(questions)
    .where(and(eq(questions.moduleId, moduleId), isNamed))
    .limit(limit)
  return rows.map(({ text }) => text)
}

const SETTLE = `
  UPDATE questions SET settled_at = ?3
  WHERE module_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND (settled_at IS NULL) = (?3 IS NOT NULL)`

/**
 * Takes questions about a module off the list, or puts them back on it where `settledAt` is null. Ids of other modules
 * and unknown ones are ignored.
 */
export async function settleQuestions(
  d1: D1Database,
  { moduleId, ids, settledAt }: { moduleId: string; ids: readonly string[]; settledAt: number | null },
): Promise<void> {
  await runSql(d1, SETTLE, moduleId, JSON.stringify(ids), settledAt)
}
