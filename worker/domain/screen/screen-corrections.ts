import { desc, eq } from 'drizzle-orm'
import { SCREEN_CORRECTIONS_MAX, type ScreenCorrection } from '#contract/screen.ts'
import { findSecret } from '#screen/find-secret.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { screenCorrections } from '#worker/db/correction-tables.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'

/** Lists what owners made of texts of a module's screen, the newest first. */
export async function listScreenCorrections(db: Db, moduleId: string): Promise<ScreenCorrection[]> {
  const rows = await db
    .select()
    .from(screenCorrections)
    .where(eq(screenCorrections.moduleId, moduleId))
    .orderBy(desc(screenCorrections.editedAt))
  return rows.map(({ moduleId: _moduleId, editedAt: _editedAt, ...correction }) => correction)
}

/**
 * Stores what an owner made of a text, in the place of what was made of it before; one that changes nothing is removed.
 * Steps get a new version, which does not count as a person's edit: tutor and search take the text over with it.
 * @throws {AppError} steps_not_ready while the module is processed, invalid_request for a text that looks like a secret
 *   and where there are too many
 */
export async function saveScreenCorrection(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  { id: moduleId, status }: Pick<ModuleRow, 'id' | 'status'>,
  { readText, startMs, endMs, text, kind, isHidden }: ScreenCorrection,
): Promise<void> {
  if (status === 'PROCESSING')
    throw new AppError('steps_not_ready', 'Texts of the screen can be corrected once the training has been processed.')
  if ([readText, text ?? ''].some((each) => findSecret(each) !== null))
    throw new AppError('invalid_request', 'What looks like a password, a key or an address is not stored.')
  const bind = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(moduleId, startMs, readText, ...values)
  const isNothing = (text === null || text === readText) && kind === null && !isHidden
  const change = isNothing
    ? bind('DELETE FROM screen_corrections WHERE module_id = ?1 AND start_ms = ?2 AND read_text = ?3')
    : bind(
        `INSERT INTO screen_corrections (module_id, start_ms, read_text, end_ms, text, kind, is_hidden, edited_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
         WHERE (SELECT count(*) FROM screen_corrections WHERE module_id = ?1) < ${SCREEN_CORRECTIONS_MAX}
           OR EXISTS (SELECT 1 FROM screen_corrections WHERE module_id = ?1 AND start_ms = ?2 AND read_text = ?3)
         ON CONFLICT (module_id, start_ms, read_text) DO UPDATE SET end_ms = excluded.end_ms, text = excluded.text,
           kind = excluded.kind, is_hidden = excluded.is_hidden, edited_at = excluded.edited_at`,
        endMs,
        text,
        kind,
        isHidden ? 1 : 0,
        nowMs(),
      )
  const [changed] = await d1.batch([
    change,
    d1.prepare('UPDATE modules SET steps_version = steps_version + 1 WHERE id = ?1').bind(moduleId),
  ])
  if (!isNothing && changed?.meta.changes === 0)
    throw new AppError('invalid_request', `A training has at most ${SCREEN_CORRECTIONS_MAX} corrections of its screen.`)
}

/** Removes what owners made of the screen of a module that is erased. */
export async function removeScreenCorrections(db: Db, moduleId: string): Promise<void> {
  await db.delete(screenCorrections).where(eq(screenCorrections.moduleId, moduleId))
}
