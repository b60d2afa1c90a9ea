import { and, asc, desc, eq, gt, gte, lte } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import { REVIEWS_DUE_MAX, VERSION_CHECKS_MAX } from '#contract/limits.ts'
import type { DueReview, NewCheck, ReviewSchedule, VersionCheck } from '#contract/review.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { HAS_REVIEW_DATE, modules } from '#worker/db/schema.ts'
import { versionChecks } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { listOwnerOf } from '#worker/domain/organization/membership.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { isPublisher, requirePublisher } from './approve-version.ts'
import { SET_REVIEW_DATE } from './review-date.ts'
import { readPublishersOf } from './review-store.ts'

/** That a version was looked at again. */
export type CheckRow = typeof versionChecks.$inferSelect

/** Sets how often the version of a training is to be looked at again. @throws {AppError} approval_needed */
export async function scheduleReviews(
  context: Pick<Context, 'db' | 'd1'>,
  module: ModuleRow,
  { caller, months }: ReviewSchedule & { caller: Caller },
): Promise<void> {
  await requirePublisher(context, module, caller)
  const { d1 } = context
  await d1.batch([
    d1.prepare('UPDATE modules SET review_months = ?2 WHERE id = ?1').bind(module.id, months),
    d1.prepare(SET_REVIEW_DATE).bind(module.id),
  ])
}

/**
 * Records that the version that learners see was looked at again and is still right.
 * @throws {AppError} approval_needed; version_conflict where they see another one by now; invalid_request after too many
 */
export async function recordCheck(
  context: Pick<Context, 'db' | 'd1' | 'nowMs'>,
  module: ModuleRow,
  { caller, published, name }: NewCheck & { caller: Caller },
): Promise<void> {
  await requirePublisher(context, module, caller)
  const { d1 } = context
  const [inserted] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO version_checks (id, module_id, number, user_id, name, checked_at)
         SELECT ?2, id, published_version, ?4, ?5, ?6 FROM modules WHERE id = ?1 AND published_version = ?3
           AND (SELECT count(*) FROM version_checks WHERE module_id = ?1) < ${VERSION_CHECKS_MAX}`,
      )
      .bind(module.id, nanoid(), published, caller.userId, name, context.nowMs()),
    d1.prepare(SET_REVIEW_DATE).bind(module.id),
  ])
  if ((inserted?.meta.changes ?? 0) > 0) return
  if (module.publishedVersion !== published)
    throw new AppError('version_conflict', 'Learners see another version by now. Look at that one.')
  throw new AppError('invalid_request', `A training has at most ${VERSION_CHECKS_MAX} such reviews. Publish a version.`)
}

/** Lists when the versions of a module were found still right, the newest first. */
export function listChecks(db: Db, moduleId: string): Promise<CheckRow[]> {
  return db
    .select()
    .from(versionChecks)
    .where(eq(versionChecks.moduleId, moduleId))
    .orderBy(desc(versionChecks.checkedAt), desc(versionChecks.id))
}

/** Lists when a person has looked at versions again, after one of these rows. */
export function listChecksOf(db: Db, userId: string, { after, limit }: PageAt<CheckRow>): Promise<CheckRow[]> {
  return db
    .select()
    .from(versionChecks)
    .where(and(eq(versionChecks.userId, userId), gt(versionChecks.id, after?.id ?? '')))
    .orderBy(asc(versionChecks.id))
    .limit(limit)
}

/** Presents when a version was found still right. */
export function presentCheck({ name, checkedAt }: CheckRow): VersionCheck {
  return { name, checkedAt: toIso(checkedAt) }
}

/** The query for trainings of the active organization, otherwise of the caller, that are due for review, the most overdue first. */
export function selectDueReviews(db: Db, caller: Caller, nowMs: number) {
  const { column, id } = listOwnerOf(caller)
  const { userId, orgId, editedBy, reviewDueAt, publishedVersion, title } = modules
  const isOwn = eq(column === 'org_id' ? orgId : userId, id)
  return db
    .select({ id: modules.id, title, userId, orgId, editedBy, publishedVersion, reviewDueAt })
    .from(modules)
    .where(and(isOwn, HAS_REVIEW_DATE, lte(reviewDueAt, nowMs), gte(publishedVersion, 1)))
    .orderBy(asc(reviewDueAt), asc(modules.id))
    .limit(REVIEWS_DUE_MAX)
}

/** Lists an owner's trainings that are due for review, the most overdue first. */
export async function listDueReviews(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  caller: Caller,
): Promise<DueReview[]> {
  const due = await selectDueReviews(db, caller, nowMs())
  const publishersOf = await readPublishersOf(db, due)
  return due.map(({ id, title, publishedVersion, reviewDueAt, ...module }) => {
    const mayPublish = isPublisher(publishersOf(module), caller, module)
    return { id, title, published: publishedVersion ?? 0, dueAt: toIso(reviewDueAt ?? 0), mayPublish }
  })
}

/** Removes when versions of a module that is erased were looked at. */
export async function removeChecks(db: Db, moduleId: string): Promise<void> {
  await db.delete(versionChecks).where(eq(versionChecks.moduleId, moduleId))
}
