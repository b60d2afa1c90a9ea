import type { SQL } from 'drizzle-orm'
import { openDb, runSql } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'

type Settings = typeof organizationSettings.$inferInsert

/**
 * Makes the statement that sets something of an organization; everything else stays as it is.
 * @param isFree where what is set already may be replaced; left out for always
 */
export function setSettings(
  d1: D1Database,
  { orgId, ...set }: Partial<Settings> & Pick<Settings, 'orgId' | 'updatedAt'>,
  isFree?: SQL,
): D1PreparedStatement {
  const { sql, params } = openDb(d1)
    .insert(organizationSettings)
    .values({ orgId, words: '', ...set })
    .onConflictDoUpdate({ target: organizationSettings.orgId, set, ...(isFree && { setWhere: isFree }) })
    .toSQL()
  return d1.prepare(sql).bind(...params)
}

const OF_ORG = 'WHERE org_id = glossaries.org_id'
const UNUSED = ['modules', 'deleted_modules', 'collections']
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} ${OF_ORG})`)
  .join(' AND ')
/** ?1: what was written since is left. */
const ENDED = `updated_at < ?1 AND ${UNUSED}`

/**
 * Removes the settings of organizations that have neither modules, deleted ones among them, nor collections, and that were
 * not written since: the end of an organization is not announced. Who wants no screen read, has rules about what is
 * published, or has ever recorded a training is not forgotten: its list of records continues where it has ended. Its
 * webhook, whose secret is kept as it is, and the key that reads who its people are go all the same.
 * @returns of how many organizations the settings were removed
 */
export async function removeUnusedSettings(d1: D1Database, beforeMs: number): Promise<number> {
  const isDefault = `reads_screen = 1 AND publishers = 'anyone' AND publishes_versions = 0 AND shows_effort = 0 AND time_zone IS NULL
    AND checkpoint_seq = 0 AND records_from = 1 AND record_months IS NULL AND record_hold IS NULL
    AND sends_reminders = 1 AND checkpoint_mail IS NULL AND password_minutes IS NULL`
  await runSql(d1, `DELETE FROM webhooks WHERE org_id IN (SELECT org_id FROM glossaries WHERE ${ENDED})`, beforeMs)
  await runSql(
    d1,
    `UPDATE glossaries SET matrix_key_hash = NULL WHERE matrix_key_hash IS NOT NULL AND ${ENDED}`,
    beforeMs,
  )
  return runSql(d1, `DELETE FROM glossaries WHERE ${isDefault} AND ${ENDED}`, beforeMs)
}
