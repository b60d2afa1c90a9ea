import { eq } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { organizationSettings } from '#worker/db/share-tables.ts'
import { listModulesById, type ModuleRow, TO_INDEX } from '#worker/domain/module/module-store.ts'
import { setSettings } from '#worker/domain/organization/settings-store.ts'
import { IS_REPAIR, takeBackRepairs } from './repair-transcript.ts'

/** Whether an organization wants the screens of its modules read; true until it says otherwise. */
export async function readsScreens(db: Db, orgId: string): Promise<boolean> {
  const [row] = await db
    .select({ readsScreen: organizationSettings.readsScreen })
    .from(organizationSettings)
    .where(eq(organizationSettings.orgId, orgId))
  return row?.readsScreen ?? true
}

/** A module's own switch counts, and where it has none that of its organization. */
export async function isScreenRead(
  db: Db,
  { readsScreen, readsScreenAnyway, orgId }: Pick<ModuleRow, 'readsScreen' | 'readsScreenAnyway' | 'orgId'>,
): Promise<boolean> {
  return readsScreen && (readsScreenAnyway || orgId === null || (await readsScreens(db, orgId)))
}

/** The same in SQL, of a row of `modules`. */
export const IS_SCREEN_READ = `reads_screen = 1 AND (reads_screen_anyway = 1 OR NOT EXISTS (
  SELECT 1 FROM glossaries WHERE glossaries.org_id = modules.org_id AND glossaries.reads_screen = 0))`

/** Modules whose readings are removed at once. */
const MODULES_AT_ONCE = 100

/**
 * Stores whether an organization wants the screens of its modules read. Where it does not, what was read of those without
 * a switch of their own is removed.
 */
export async function storeReadsScreens(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'rooms' | 'nowMs'>,
  { orgId, readsScreen }: { orgId: string; readsScreen: boolean },
): Promise<void> {
  const { db, d1, bucket, nowMs } = context
  await setSettings(d1, { orgId, readsScreen, updatedAt: nowMs() }).run()
  if (readsScreen) return
  for (;;) {
    const { results } = await d1
      .prepare(
        `SELECT id, screen_key AS key FROM modules
         WHERE org_id = ?1 AND screen_key IS NOT NULL AND NOT (${IS_SCREEN_READ}) LIMIT ${MODULES_AT_ONCE}`,
      )
      .bind(orgId)
      .all<{ id: string; key: string }>()
    if (results.length === 0) return
    const ids = JSON.stringify(results.map(({ id }) => id))
    const named = 'IN (SELECT value FROM json_each(?1))'
    const repaired = await d1
      .prepare(`SELECT DISTINCT module_id AS id FROM transcript_corrections WHERE module_id ${named} AND ${IS_REPAIR}`)
      .bind(ids)
      .all<{ id: string }>()
    const modules = await listModulesById(
      db,
      repaired.results.map(({ id }) => id),
    )
    for (const module of modules) await takeBackRepairs(context, module)
    await d1.batch([
      d1.prepare(`DELETE FROM transcript_corrections WHERE module_id ${named} AND ${IS_REPAIR}`).bind(ids),
      d1.prepare(`DELETE FROM screen_corrections WHERE module_id ${named}`).bind(ids),
      d1.prepare(`UPDATE modules SET screen_key = NULL, indexed_version = ${TO_INDEX} WHERE id ${named}`).bind(ids),
    ])
    await bucket.delete(results.map(({ key }) => key))
  }
}
