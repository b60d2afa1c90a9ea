import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import { INVITATIONS_MAX, OPENED_MODULES_MAX } from '#contract/limits.ts'
import { type Db, deleteInSteps, runSql } from '#worker/db/db.ts'
import type { PageAt } from '#worker/db/read-pages.ts'
import { modules } from '#worker/db/schema.ts'
import { invitations } from '#worker/db/share-tables.ts'

/** An invitation to edit one training. */
export type InvitationRow = typeof invitations.$inferSelect

/**
 * Whether an account has accepted an invitation to a module. It takes as long for a module that does not exist, so the
 * time of an answer does not tell which exist.
 */
export async function isInvited(db: Db, moduleId: string, userId: string): Promise<boolean> {
  const isIt = and(eq(invitations.moduleId, moduleId), eq(invitations.userId, userId))
  return (await db.select({ id: invitations.id }).from(invitations).where(isIt).get()) !== undefined
}

/** Lists the invitations to a module, the latest first. */
export function listInvitations(db: Db, moduleId: string): Promise<InvitationRow[]> {
  const isOfIt = eq(invitations.moduleId, moduleId)
  return db.select().from(invitations).where(isOfIt).orderBy(desc(invitations.createdAt), desc(invitations.id))
}

/** Keeps an invitation, unless as many as the module may have are accepted or open. @returns whether it was kept */
export async function insertInvitation(
  db: Db,
  { moduleId, name, linkHash, createdAt, expiresAt }: Omit<InvitationRow, 'id' | 'userId' | 'userName' | 'acceptedAt'>,
): Promise<boolean> {
  const { meta } = await db.run(sql`
    INSERT INTO ${invitations} (id, module_id, name, link_hash, created_at, expires_at)
    SELECT ${nanoid()}, ${moduleId}, ${name}, ${linkHash}, ${createdAt}, ${expiresAt}
    WHERE (SELECT count(*) FROM ${invitations} WHERE module_id = ${moduleId}
      AND (user_id IS NOT NULL OR expires_at > ${createdAt})) < ${INVITATIONS_MAX}`)
  return meta.changes === 1
}

/** Removes an invitation with all that it allows. Nothing happens where there is none. */
export async function removeInvitation(db: Db, moduleId: string, id: string): Promise<void> {
  await db.delete(invitations).where(and(eq(invitations.moduleId, moduleId), eq(invitations.id, id)))
}

/** Gives up what an account was invited to. @returns whether it was */
export async function leaveInvitation(db: Db, moduleId: string, userId: string): Promise<boolean> {
  const isIt = and(eq(invitations.moduleId, moduleId), eq(invitations.userId, userId))
  return (await db.delete(invitations).where(isIt)).meta.changes > 0
}

/** Finds the invitation of a link that an account may accept now, or has accepted. */
export async function findOfLink(
  db: Db,
  { linkHash, userId, nowMs }: { linkHash: string; userId: string; nowMs: number },
): Promise<InvitationRow | null> {
  const isOpen = and(isNull(invitations.userId), gt(invitations.expiresAt, nowMs))
  const isTheirs = or(isOpen, eq(invitations.userId, userId))
  const row = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.linkHash, linkHash), isTheirs))
  return row[0] ?? null
}

/** Accepts an invitation, unless another account was faster or this one has accepted another one of the module. */
export async function acceptRow(
  db: Db,
  { id, userId, userName, nowMs }: { id: string; userId: string; userName: string; nowMs: number },
): Promise<void> {
  await db.run(sql`
    UPDATE OR IGNORE ${invitations} SET user_id = ${userId}, user_name = ${userName}, accepted_at = ${nowMs}
    WHERE id = ${id} AND user_id IS NULL AND expires_at > ${nowMs}`)
}

/** Lists what an account was invited to edit, the latest first. */
export function listEdited(db: Db, userId: string) {
  const { id, title, hasPoster, durationMs, receivedAt } = modules
  return db
    .select({ id, title, hasPoster, durationMs })
    .from(invitations)
    .innerJoin(modules, eq(modules.id, invitations.moduleId))
    .where(and(eq(invitations.userId, userId), isNotNull(receivedAt)))
    .orderBy(desc(invitations.acceptedAt))
    .limit(OPENED_MODULES_MAX)
}

/** Lists the invitations that an account has accepted by their ids, after one of them. */
export function listInvitationsOf(
  db: Db,
  userId: string,
  { after, limit }: PageAt<InvitationRow>,
): Promise<InvitationRow[]> {
  return db
    .select()
    .from(invitations)
    .where(and(eq(invitations.userId, userId), gt(invitations.id, after?.id ?? '')))
    .orderBy(asc(invitations.id))
    .limit(limit)
}

/** Deletes what an account has accepted by `beforeMs`. @returns false while there is more */
export function removeInvitationsOf(db: Db, userId: string, beforeMs: number): Promise<boolean> {
  const which = sql`${invitations.userId} = ${userId} AND ${invitations.acceptedAt} <= ${beforeMs}`
  return deleteInSteps(db, invitations, which)
}

/** Removes invitations that had ended by then without being accepted, with the names in them. @returns how many */
export function removeEnded(d1: D1Database, beforeMs: number): Promise<number> {
  return runSql(d1, 'DELETE FROM invitations WHERE user_id IS NULL AND expires_at < ?1', beforeMs)
}

/** Removes the invitations to a module that is erased. */
export async function removeInvitations(db: Db, moduleId: string): Promise<void> {
  await db.delete(invitations).where(eq(invitations.moduleId, moduleId))
}
