import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'

/** Open assignments of a training, by itself or in a collection, the newest first. */
const OPEN = `SELECT a.created_at AS createdAt, c.title FROM assignments AS a
  LEFT JOIN collections AS c ON c.id = a.collection_id AND c.org_id = ?1
  WHERE a.org_id = ?1 AND a.ended_at IS NULL
    AND (a.module_id = ?2 OR EXISTS (SELECT 1 FROM json_each(c.module_ids) WHERE value = ?2))
  ORDER BY a.created_at DESC LIMIT 1`

/**
 * Requires that nobody is to be trained on the versions of a training: without one, nothing could be recorded.
 * @throws {AppError} assigned
 */
export async function requireUnassigned(
  { d1 }: Pick<Context, 'd1'>,
  { id, orgId }: Pick<ModuleRow, 'id' | 'orgId'>,
): Promise<void> {
  if (orgId === null) return
  const [open] = await listRows<{ createdAt: number; title: string | null }>(d1, OPEN, orgId, id)
  if (open === undefined) return
  const day = new Date(open.createdAt).toISOString().slice(0, 10)
  const by = open.title === null ? `the assignment of ${day}` : `the assignment of the collection “${open.title}”`
  throw new AppError('assigned', `People are to be trained on its versions, by ${by}. End it first.`)
}
