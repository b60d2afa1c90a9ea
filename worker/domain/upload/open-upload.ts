import type { Db } from '#worker/db/db.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** A module whose video is being sent in parts. */
export interface OpenUpload extends ModuleRow {
  uploadId: string
  declaredSizeBytes: number
}

/** True when an upload in parts can be resumed. */
export function isOpenUpload(module: ModuleRow): module is OpenUpload {
  return module.uploadId !== null && module.declaredSizeBytes !== null && module.sourceEtag === null
}

/** @throws {AppError} not_found for another owner's, a cancelled and a completed upload alike */
export async function getOpenUpload(db: Db, caller: Caller, moduleId: string): Promise<OpenUpload> {
  const module = await getOwnModule(db, caller, moduleId)
  if (!isOpenUpload(module)) throw moduleNotFound()
  return module
}
