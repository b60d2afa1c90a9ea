import type { Upload, UploadAnswer, UploadListAnswer } from '#contract/upload.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { getOpenUpload } from './open-upload.ts'
import { planParts } from './part-plan.ts'
import { listOpenUploads, listUploadParts, type UploadPartRow } from './upload-store.ts'

/** How far an upload in parts is. @throws {AppError} not_found also once it is complete or cancelled */
export async function readUpload(db: Db, caller: Caller, moduleId: string): Promise<UploadAnswer> {
  const module = await getOpenUpload(db, caller, moduleId)
  return { success: true, upload: presentUpload(module, await listUploadParts(db, moduleId)) }
}

/** Lists the caller's own uploads in parts that can be resumed, newest first. */
export async function readUploads(db: Db, caller: Caller): Promise<UploadListAnswer> {
  const open = await listOpenUploads(db, caller.userId)
  return { success: true, uploads: open.map(({ module, parts }) => presentUpload(module, parts)) }
}

function presentUpload(module: ModuleRow, parts: UploadPartRow[]): Upload {
  const sizeBytes = module.declaredSizeBytes ?? 0
  return {
    moduleId: module.id,
    key: module.sourceKey,
    filename: module.filename,
    contentType: module.declaredType,
    sizeBytes,
    fingerprint: module.fingerprint,
    createdAt: new Date(module.createdAt).toISOString(),
    plan: planParts(sizeBytes),
    parts: parts.map(({ part, etag, sizeBytes: partBytes }) => ({ part, etag, sizeBytes: partBytes })),
  }
}
