import { eq, sql } from 'drizzle-orm'
import type { Db } from '#worker/db/db.ts'
import { glossaries } from '#worker/db/share-tables.ts'

/** Reads in which time zone the days of an organization end. */
export async function readTimeZone(db: Db, orgId: string): Promise<string> {
  const row = await db
    .select({ timeZone: glossaries.timeZone })
    .from(glossaries)
    .where(eq(glossaries.orgId, orgId))
    .get()
  return row?.timeZone ?? 'UTC'
}

/** Gives an organization a time zone, where it has none yet. */
export async function keepTimeZone(
  db: Db,
  { orgId, timeZone, nowMs }: { orgId: string; timeZone: string; nowMs: number },
): Promise<void> {
  await db
    .insert(glossaries)
    .values({ orgId, words: '', timeZone, updatedAt: nowMs })
    .onConflictDoUpdate({
      target: glossaries.orgId,
      set: { timeZone: sql`coalesce(${glossaries.timeZone}, excluded.time_zone)` },
    })
}
