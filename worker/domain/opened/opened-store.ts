import { and, asc, desc, eq, gt, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { OPENED_MODULES_MAX } from '#contract/limits.ts'
import { type EditedModule, type OpenedModule, UNPUBLISHED } from '#contract/module.ts'
import { type Db, deleteInSteps } from '#worker/db/db.ts'
import { learners, openedModules } from '#worker/db/learner-tables.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { modules } from '#worker/db/schema.ts'
import { trainingVersions } from '#worker/db/share-tables.ts'
import { COMPLETED_AT } from '#worker/domain/learning/export-store.ts'
import type { listEdited } from '#worker/domain/module/invitation-store.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** A training that one person opened. */
export type OpenedRow = typeof openedModules.$inferSelect

/** Records that a person opened a module, and forgets what is older than the newest {@link OPENED_MODULES_MAX}. */
export async function recordOpened(db: Db, opened: OpenedRow): Promise<void> {
  const isMine = eq(openedModules.userId, opened.userId)
  const newestIds = db
    .select({ moduleId: openedModules.moduleId })
    .from(openedModules)
    .where(isMine)
    .orderBy(desc(openedModules.openedAt), desc(openedModules.moduleId))
    .limit(OPENED_MODULES_MAX)
  await db.batch([
    db
      .insert(openedModules)
      .values(opened)
      .onConflictDoUpdate({
        target: [openedModules.userId, openedModules.moduleId],
        set: { openedAt: opened.openedAt },
      }),
    db.delete(openedModules).where(and(isMine, notInArray(openedModules.moduleId, newestIds))),
  ])
}

/** A training that one person opened, with what is shown of it. */
type OpenedModuleRow = Awaited<ReturnType<typeof listOpened>>[number]

/** The tables under the names that {@link COMPLETED_AT} gives them. */
const m = alias(modules, 'm')
const l = alias(learners, 'l')
const v = trainingVersions

/** Lists the modules of others that a person opened and can still open, newest first. */
export function listOpened(db: Db, caller: Caller, nowMs: number) {
  const isOthers = caller.orgId === null ? undefined : or(sql`${m.orgId} IS NULL`, ne(m.orgId, caller.orgId))
  return db
    .select({
      id: m.id,
      title: sql<string>`coalesce((SELECT ${v.title} FROM ${v}
        WHERE ${v.moduleId} = ${m.id} AND ${v.number} = ${m.publishedVersion}), ${m.title})`,
      hasPoster: m.hasPoster,
      durationMs: m.durationMs,
      openedAt: openedModules.openedAt,
      seenSeconds: l.seenSeconds,
      completedAt: sql<number | null>`${sql.raw(COMPLETED_AT)}`,
    })
    .from(openedModules)
    .innerJoin(m, eq(m.id, openedModules.moduleId))
    .leftJoin(l, and(eq(l.moduleId, m.id), eq(l.learnerId, `user:${caller.userId}`)))
    .where(
      and(
        eq(openedModules.userId, caller.userId),
        eq(m.shared, true),
        sql`${m.publishedVersion} IS NOT ${UNPUBLISHED}`,
        isNull(m.linkCode),
        isNull(m.linkPassword),
        or(isNull(m.linkEndsAt), gt(m.linkEndsAt, nowMs)),
        isNotNull(m.receivedAt),
        ne(m.userId, caller.userId),
        isOthers,
      ),
    )
    .orderBy(desc(openedModules.openedAt), desc(openedModules.moduleId))
}

/** Takes a module off the list of what a person opened. */
export async function deleteOpened(db: Db, userId: string, moduleId: string): Promise<void> {
  await db.delete(openedModules).where(and(eq(openedModules.userId, userId), eq(openedModules.moduleId, moduleId)))
}

/** Lists everything that one person opened by the ids of the modules, after one of them. */
export function listOpenedOf(db: Db, userId: string, { after, limit }: PageAt<OpenedRow>): Promise<OpenedRow[]> {
  return db
    .select()
    .from(openedModules)
    .where(and(eq(openedModules.userId, userId), gt(openedModules.moduleId, after?.moduleId ?? '')))
    .orderBy(asc(openedModules.moduleId))
    .limit(limit)
}

/** Deletes what one person opened by `beforeMs`. @returns false while there is more */
export function removeOpenedOf(db: Db, userId: string, beforeMs: number): Promise<boolean> {
  const which = sql`${openedModules.userId} = ${userId} AND ${openedModules.openedAt} <= ${beforeMs}`
  return deleteInSteps(db, openedModules, which)
}

/** Deletes who opened a module that is erased. @returns false while there is more */
export function removeOpened(db: Db, moduleId: string): Promise<boolean> {
  return deleteInSteps(db, openedModules, eq(openedModules.moduleId, moduleId))
}

type EditedRow = Awaited<ReturnType<typeof listEdited>>[number]

/** Presents a module to who was invited to edit it. `posterUrl` was issued for an editor. */
export function presentEdited({ id, title, durationMs }: EditedRow, posterUrl: string | null): EditedModule {
  const totalDuration = durationMs === null ? null : durationMs / 1000
  return { id, title, trainingUrl: `/training/${id}`, posterUrl, totalDuration }
}

/** Presents an opened module as its viewer sees it. `posterUrl` was issued for a viewer. */
export function presentOpened(row: OpenedModuleRow, posterUrl: string | null): OpenedModule {
  return {
    id: row.id,
    title: row.title,
    openedAt: toIso(row.openedAt),
    trainingUrl: `/training/${row.id}`,
    posterUrl,
    totalDuration: row.durationMs === null ? null : row.durationMs / 1000,
    seenSeconds: row.seenSeconds ?? 0,
    completedAt: toIso(row.completedAt),
  }
}
