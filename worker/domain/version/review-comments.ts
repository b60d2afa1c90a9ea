import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import { REVIEW_COMMENTS_MAX } from '#contract/limits.ts'
import type { NewComment, ReviewThread, ThreadState, ThreadsAnswer } from '#contract/review.ts'
import type { VersionName } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { reviewComments } from '#worker/db/share-tables.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** Something that an owner or an invited editor has said of a step. */
export type CommentRow = typeof reviewComments.$inferSelect

type Said = Pick<CommentRow, 'moduleId'> & { caller: Pick<Caller, 'userId'> }

/** Reads what owners and editors have said of the steps of a draft, or of a version while it was one. */
export async function readThreads(
  { db }: Pick<Context, 'db'>,
  { moduleId, caller, version }: Said & { version: VersionName },
): Promise<ThreadsAnswer> {
  const { number } = reviewComments
  const isOfIt = version === 'draft' ? isNull(number) : eq(number, version)
  const rows = await db
    .select()
    .from(reviewComments)
    .where(and(eq(reviewComments.moduleId, moduleId), isOfIt))
    .orderBy(asc(reviewComments.createdAt), asc(reviewComments.id))
  const threads = Map.groupBy(rows, ({ stepId }) => stepId)
  return { success: true, threads: [...threads].map(([stepId, said]) => presentThread(stepId, said, caller)) }
}

function presentThread(stepId: string, said: CommentRow[], { userId }: Pick<Caller, 'userId'>): ReviewThread {
  const comments = said.map(({ id, name, text, createdAt, ...row }) => {
    return { id, name, text, saidAt: toIso(createdAt), isMine: row.userId === userId }
  })
  return { stepId, isResolved: said.every(({ resolvedAt }) => resolvedAt !== null), comments }
}

/** Says something of a step of the draft. @throws {AppError} invalid_request where the draft has too many comments */
export async function addComment(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  { moduleId, caller, stepId, name, text }: Said & NewComment,
): Promise<void> {
  const isRoom = sql`(${countOfDraft(moduleId)}) < ${REVIEW_COMMENTS_MAX}`
  const { meta } = await db.run(sql`
    INSERT INTO ${reviewComments} (id, module_id, step_id, user_id, name, text, created_at)
    SELECT ${nanoid()}, ${moduleId}, ${stepId}, ${caller.userId}, ${name}, ${text}, ${nowMs()} WHERE ${isRoom}`)
  if (meta.changes === 0) throw new AppError('invalid_request', `A draft has at most ${REVIEW_COMMENTS_MAX} comments.`)
}

function countOfDraft(moduleId: string, stepId?: string): SQL {
  const ofStep = stepId === undefined ? sql`` : sql`AND step_id = ${stepId}`
  return sql`SELECT count(*) FROM ${reviewComments} WHERE module_id = ${moduleId} AND number IS NULL ${ofStep}`
}

/**
 * Makes sure that a reader has seen all that was said of the draft, or of one step of it.
 * @throws {AppError} version_conflict
 */
export async function requireSeen(
  db: Db,
  { moduleId, stepId, seenComments }: Pick<CommentRow, 'moduleId'> & { stepId?: string; seenComments: number },
): Promise<void> {
  const [row] = await db.all<{ count: number }>(sql`SELECT (${countOfDraft(moduleId, stepId)}) AS count`)
  if (row?.count === seenComments) return
  throw new AppError('version_conflict', 'There are comments that you have not seen. Read them first.')
}

/**
 * Settles what was said of a step of the draft, or opens it again. Doing it twice changes nothing.
 * @throws {AppError} version_conflict where something was said that the caller has not seen
 */
export async function settleThread(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  { moduleId, stepId, isResolved, seenComments }: Pick<CommentRow, 'moduleId'> & ThreadState,
): Promise<void> {
  await requireSeen(db, { moduleId, stepId, seenComments })
  const { moduleId: ofModule, stepId: ofStep, number, resolvedAt } = reviewComments
  const isOfThread = and(eq(ofModule, moduleId), isNull(number), eq(ofStep, stepId))
  // A comment that comes in between leaves the thread as it is.
  const isSeen = sql`(${countOfDraft(moduleId, stepId)}) = ${seenComments}`
  await db
    .update(reviewComments)
    .set({ resolvedAt: isResolved ? nowMs() : null })
    .where(and(isOfThread, isSeen, isResolved ? isNull(resolvedAt) : undefined))
}

/** Removes what was said of a module that is erased. */
export async function removeComments(db: Db, moduleId: string): Promise<void> {
  await db.delete(reviewComments).where(eq(reviewComments.moduleId, moduleId))
}

/** Lists what a person has said in reviews, after one of their comments. */
export function listCommentsOf(db: Db, userId: string, { after, limit }: PageAt<CommentRow>): Promise<CommentRow[]> {
  return db
    .select()
    .from(reviewComments)
    .where(and(eq(reviewComments.userId, userId), gt(reviewComments.id, after?.id ?? '')))
    .orderBy(asc(reviewComments.id))
    .limit(limit)
}
