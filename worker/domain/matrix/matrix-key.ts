import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import { hashSecret, makeSecret } from '#worker/domain/signed-payload.ts'

const { orgId: ofOrg, matrixKeyHash } = organizationSettings

/** How each key begins: it tells people, and programs that look for secrets, what it is. */
const MATRIX_KEY_PREFIX = 'adapt_'

/**
 * Gives an organization a new key that reads its matrix, and nothing else; the one before opens nothing any more.
 * @returns the key, which is known this once
 */
export async function issueMatrixKey({ d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>, orgId: string): Promise<string> {
  const key = `${MATRIX_KEY_PREFIX}${makeSecret()}`
  await setSettings(d1, { orgId, matrixKeyHash: await hashSecret(key), updatedAt: nowMs() }).run()
  return key
}

/** Takes back the key of an organization. Without one nothing happens. */
export async function revokeMatrixKey(db: Db, orgId: string): Promise<void> {
  await db.update(organizationSettings).set({ matrixKeyHash: null }).where(hasKey(orgId))
}

/** Whether an organization has a key. */
export async function hasMatrixKey(db: Db, orgId: string): Promise<boolean> {
  return (await db.select({ ofOrg }).from(organizationSettings).where(hasKey(orgId)).get()) !== undefined
}

const hasKey = (orgId: string) => and(eq(ofOrg, orgId), isNotNull(matrixKeyHash))

/** Finds whose key it is. @throws {AppError} key_invalid */
export async function getKeyOrg(db: Db, key: string): Promise<string> {
  const isOfKey = eq(matrixKeyHash, await hashSecret(key))
  const row = await db.select({ orgId: ofOrg }).from(organizationSettings).where(isOfKey).get()
  if (row !== undefined) return row.orgId
  throw new AppError('key_invalid', 'There is no such key: it was replaced or removed.')
}
