import { eq, isNull } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'

/** Reads in which time zone the days of an organization end. */
export async function readTimeZone(db: Db, orgId: string): Promise<string> {
  const row = await db
    .select({ timeZone: organizationSettings.timeZone })
    .from(organizationSettings)
    .where(eq(organizationSettings.orgId, orgId))
    .get()
  return row?.timeZone ?? 'UTC'
}

/** Gives an organization a time zone, where it has none yet. */
export async function keepTimeZone(
  d1: D1Database,
  { nowMs, ...zone }: { orgId: string; timeZone: string; nowMs: number },
): Promise<void> {
  await setSettings(d1, { ...zone, updatedAt: nowMs }, isNull(organizationSettings.timeZone)).run()
}
