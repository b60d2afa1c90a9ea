import { eq } from 'drizzle-orm'
import type { SignOffSettings } from '#contract/records/sign-off.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** Reads after how many minutes an organization wants the password again: never, unless it has said otherwise. */
export async function readSignOffSettings(db: Db, orgId: string): Promise<SignOffSettings> {
  const { passwordMinutes } = organizationSettings
  const isIt = eq(organizationSettings.orgId, orgId)
  return (
    (await db.select({ passwordMinutes }).from(organizationSettings).where(isIt).get()) ?? { passwordMinutes: null }
  )
}

/** Stores after how many minutes an organization wants the password again. */
export async function storeSignOffSettings(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  settings: SignOffSettings,
): Promise<void> {
  await setSettings(d1, { orgId, ...settings, updatedAt: nowMs() }).run()
}

/**
 * Lets only those sign, and change when the password is wanted, who have given it lately, where the organization wants
 * that. A token that does not say when counts as too old.
 * @throws {AppError} reverification_needed, with the hint on which Clerk's scripts ask for the password
 */
export async function requirePassword(
  db: Db,
  orgId: string,
  { verifiedMinutesAgo = Number.POSITIVE_INFINITY }: Pick<Caller, 'verifiedMinutesAgo'>,
): Promise<void> {
  const { passwordMinutes: afterMinutes } = await readSignOffSettings(db, orgId)
  if (afterMinutes === null || verifiedMinutesAgo < afterMinutes) return
  const metadata = { reverification: { level: 'first_factor', afterMinutes } }
  throw new AppError('reverification_needed', 'Your organization asks for your password again before you do this.', {
    extensions: { clerk_error: { type: 'forbidden', reason: 'reverification-error', metadata } },
  })
}
