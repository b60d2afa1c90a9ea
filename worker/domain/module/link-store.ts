import { eq, inArray, or } from 'drizzle-orm'
import { LINKS_MAX } from '#contract/limits.ts'
import type { Db } from '#worker/db/db.ts'
import { modules } from '#worker/db/schema.ts'
import { replacedLinks } from '#worker/db/share-tables.ts'
import { linkIdOf } from './link-state.ts'
import type { ModuleRow } from './module-store.ts'

/**
 * Finds the module that a link leads to, or led to before it was replaced: then its link is another one now
 * (`linkIdOf`). One statement, because an id that leads nowhere is to cost no more.
 */
export async function findByLink(db: Db, linkId: string): Promise<ModuleRow | null> {
  const replaced = db.select({ id: replacedLinks.moduleId }).from(replacedLinks).where(eq(replacedLinks.id, linkId))
  const row = await db
    .select()
    .from(modules)
    .where(or(eq(modules.id, linkId), eq(modules.linkCode, linkId), inArray(modules.id, replaced)))
    .get()
  return row ?? null
}

/** Whether a link that was replaced leads on to the new one. */
export async function isForwarded(db: Db, linkId: string): Promise<boolean> {
  const row = await db
    .select({ forwards: replacedLinks.forwards })
    .from(replacedLinks)
    .where(eq(replacedLinks.id, linkId))
    .get()
  return row?.forwards === true
}

/**
 * Gives a module another link, unless it has another one already or has had too many. One that does not forward ends what
 * earlier ones forward as well: they would lead whoever has them past it.
 * @returns whether it was done
 */
export async function updateLink(
  d1: D1Database,
  module: Pick<ModuleRow, 'id' | 'linkCode'>,
  { code, forwards }: { code: string; forwards: boolean },
): Promise<boolean> {
  const isSame = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND link_code IS ?2)`
  const [replaced] = await d1.batch([
    d1
      .prepare(
        `INSERT INTO replaced_links (id, module_id, forwards) SELECT ?3, ?1, ?4 WHERE ${isSame}
           AND (SELECT count(*) FROM replaced_links WHERE module_id = ?1) < ${LINKS_MAX} ON CONFLICT DO NOTHING`,
      )
      .bind(module.id, module.linkCode, linkIdOf(module), forwards ? 1 : 0),
    d1
      .prepare(`UPDATE replaced_links SET forwards = 0 WHERE module_id = ?1 AND ?3 = 0 AND forwards = 1 AND ${isSame}`)
      .bind(module.id, module.linkCode, forwards ? 1 : 0),
    d1
      .prepare(
        `UPDATE modules SET link_code = ?4 WHERE id = ?1 AND link_code IS ?2
           AND EXISTS (SELECT 1 FROM replaced_links WHERE id = ?3)`,
      )
      .bind(module.id, module.linkCode, linkIdOf(module), code),
  ])
  return replaced?.meta.changes === 1
}

/** Removes what is known of the replaced links of a module that is erased. */
export async function removeReplacedLinks(db: Db, moduleId: string): Promise<void> {
  await db.delete(replacedLinks).where(eq(replacedLinks.moduleId, moduleId))
}

/** Wrong passwords of a link are counted for a day from the first of them. */
export const LINK_MISS_PERIOD_MS = 24 * 60 * 60_000
/**
 * Wrong passwords of a link in that time. Enough for every slip of the fingers of a company; a list of the ten thousand most
 * common passwords takes ten days, and a new password or link begins anew.
 */
export const LINK_MISSES_MAX = 1_000

/** Counts a password that is tried as a wrong one. @returns false where no more may be tried */
export async function countLinkMiss(d1: D1Database, moduleId: string, nowMs: number): Promise<boolean> {
  const { meta } = await d1
    .prepare(
      `UPDATE modules SET link_misses = CASE WHEN link_missed_at > ?2 THEN link_misses + 1 ELSE 1 END,
                          link_missed_at = CASE WHEN link_missed_at > ?2 THEN link_missed_at ELSE ?3 END
       WHERE id = ?1 AND NOT (link_missed_at IS NOT NULL AND link_missed_at > ?2 AND link_misses >= ${LINK_MISSES_MAX})`,
    )
    .bind(moduleId, nowMs - LINK_MISS_PERIOD_MS, nowMs)
    .run()
  return meta.changes === 1
}

/** Takes a try back that was right. */
export async function refundLinkMiss(d1: D1Database, moduleId: string): Promise<void> {
  await d1.prepare('UPDATE modules SET link_misses = max(0, link_misses - 1) WHERE id = ?1').bind(moduleId).run()
}
