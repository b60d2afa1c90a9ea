import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Publishers, PublishersEdit, PublishingRules } from '#contract/review.ts'
import { type Db, runSql } from '#worker/db/db.ts'
import { deletedModules } from '#worker/db/operation-tables.ts'
import { modules } from '#worker/db/schema.ts'
import { organizationSettings, reviewComments, versionChecks, versionReviews } from '#worker/db/share-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'

/** A draft that is to be released, or was sent back. */
export type ReviewRow = typeof versionReviews.$inferSelect

const NO_RULES: PublishingRules = { publishers: 'anyone', publishesVersions: false }

/** Reads what an organization wants of all its trainings. */
export async function readRules(db: Db, orgId: string | null): Promise<PublishingRules> {
  if (orgId === null) return NO_RULES
  const { publishers, publishesVersions } = organizationSettings
  const isIt = eq(organizationSettings.orgId, orgId)
  const [row] = await db.select({ publishers, publishesVersions }).from(organizationSettings).where(isIt)
  return row ?? NO_RULES
}

/** Reads who may publish an organization's trainings. */
export async function readPublishers(db: Db, orgId: string | null): Promise<Publishers> {
  return (await readRules(db, orgId)).publishers
}

/** Changes what an organization wants of all its trainings, beside its glossary. */
export async function storeRules(
  d1: D1Database,
  { orgId, publishers, publishesVersions, updatedAt }: PublishersEdit & { orgId: string; updatedAt: number },
): Promise<void> {
  await setSettings(d1, { orgId, publishers, publishesVersions, updatedAt }).run()
}

/** Reads who may publish the trainings of several organizations. @returns which rule a training has */
export async function readPublishersOf(
  db: Db,
  listed: readonly { orgId: string | null }[],
): Promise<(module: { orgId: string | null }) => Publishers> {
  const orgIds = [...new Set(listed.flatMap(({ orgId }) => orgId ?? []))]
  const { orgId, publishers } = organizationSettings
  if (orgIds.length === 0) return () => 'anyone'
  const rows = await db.select({ orgId, publishers }).from(organizationSettings).where(inArray(orgId, orgIds))
  const rules = new Map(rows.map((row) => [row.orgId, row.publishers]))
  return (module) => (module.orgId === null ? undefined : rules.get(module.orgId)) ?? 'anyone'
}

/** Finds the draft of a module that is to be released, or was sent back last. */
export async function findReview(db: Db, moduleId: string): Promise<ReviewRow | null> {
  return (await db.select().from(versionReviews).where(eq(versionReviews.moduleId, moduleId)).get()) ?? null
}

/** Asks for a release in place of what was asked before. */
export async function putReview(db: Db, row: ReviewRow): Promise<void> {
  const { moduleId: target } = versionReviews
  await db.insert(versionReviews).values(row).onConflictDoUpdate({ target, set: row })
}

/** Sends a draft back, unless it was or another one was asked for meanwhile. @returns whether it was */
export async function answerReview(
  db: Db,
  {
    moduleId,
    hash,
    ...answer
  }: Pick<ReviewRow, 'moduleId' | 'hash' | 'answeredBy' | 'answerName' | 'reason' | 'answeredAt'>,
): Promise<boolean> {
  const { moduleId: id, hash: asked, answeredAt } = versionReviews
  const isIt = and(eq(id, moduleId), eq(asked, hash), isNull(answeredAt))
  const { meta } = await db.update(versionReviews).set(answer).where(isIt)
  return meta.changes === 1
}

/** Removes what was asked for of a module: it was released, or is erased. */
export async function removeReview(db: Db, moduleId: string): Promise<void> {
  await db.delete(versionReviews).where(eq(versionReviews.moduleId, moduleId))
}

/** Rows that one statement removes or changes. */
const REMOVED_MAX = 500

/**
 * Removes what a person has asked for by `beforeMs`, and their name where they have sent a draft back, edited one, said
 * something of it or looked at a version again.
 * @returns false while there is more
 */
export async function removeReviewer(
  db: Db,
  { userId, alias, beforeMs }: { userId: string; alias: string; beforeMs: number },
): Promise<boolean> {
  const some = (which: SQL | undefined) =>
    sql`module_id IN (SELECT module_id FROM ${versionReviews} WHERE ${which} LIMIT ${REMOVED_MAX})`
  const { userId: askedBy, askedAt, answeredBy, answeredAt } = versionReviews
  const ofThem = (table: SQLiteTable, at: SQL) =>
    sql`id IN (SELECT id FROM ${table} WHERE user_id = ${userId} AND ${at} <= ${beforeMs} LIMIT ${REMOVED_MAX})`
  const nameless = { userId: alias, name: '' }
  const edited = (table: SQL) => sql`id IN (SELECT id FROM ${table} WHERE edited_by = ${userId} LIMIT ${REMOVED_MAX})`
  const done = await db.batch([
    db.delete(versionReviews).where(some(and(eq(askedBy, userId), lte(askedAt, beforeMs)))),
    db
      .update(versionReviews)
      .set({ answeredBy: alias, answerName: '' })
      .where(some(and(eq(answeredBy, userId), lte(answeredAt, beforeMs)))),
    db.update(reviewComments).set(nameless).where(ofThem(reviewComments, sql`created_at`)),
    db.update(versionChecks).set(nameless).where(ofThem(versionChecks, sql`checked_at`)),
    db.update(modules).set({ editedBy: alias }).where(edited(sql`modules`)),
    db.update(deletedModules).set({ editedBy: alias }).where(edited(sql`deleted_modules`)),
  ])
  return done.every(({ meta }) => meta.changes < REMOVED_MAX)
}

/** Records who has changed what a version is made of, where several people can. */
export async function recordEditor(d1: D1Database, moduleId: string, userId: string): Promise<void> {
  const change = 'UPDATE modules SET edited_by = ?2 WHERE id = ?1 AND org_id IS NOT NULL AND edited_by IS NOT ?2'
  await runSql(d1, change, moduleId, userId)
}

/** What of a module decides who may publish it. */
export type Published = Pick<ModuleRow, 'userId' | 'orgId' | 'editedBy'>
