import { z } from 'zod'
import type { Db } from '#worker/db/db.ts'
import { getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'

/**
 * That anyone may watch a module now, and what its video is. It is cached for as long as a link may outlive its end, so
 * that neither the database nor the bucket is asked for each of a player's many ranges. Never leaves the worker.
 */
export const ShareGrant = z.object({
  key: z.string(),
  etag: z.string(),
  sizeBytes: z.number().int(),
  contentType: z.string(),
})
export type ShareGrant = z.infer<typeof ShareGrant>

/** @throws {AppError} not_found also while there is no video yet */
export async function readGrant(db: Db, moduleId: string): Promise<ShareGrant> {
  const module = await getSharedModule(db, moduleId)
  if (module.sourceEtag === null || module.sourceSizeBytes === null) throw moduleNotFound()
  return {
    key: module.sourceKey,
    etag: module.sourceEtag,
    sizeBytes: module.sourceSizeBytes,
    contentType: module.sourceType ?? 'application/octet-stream',
  }
}
