import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { isSourceKnown } from '#worker/domain/module/deleted-store.ts'
import { findModuleOfSource } from '#worker/domain/module/module-store.ts'
import { logLine } from '#worker/log/log.ts'

import { isRefusal, NOT_RECEIVED, receiveUpload } from './receive-upload.ts'
/**
 * Starts what `complete` would have started, when its call never came: the tab was closed, or the answer got lost.
 * Notifications may come any number of times, late, and for any object.
 * @param key of the object in the bucket
 * @returns `received`, also when it was before; `absent` while there is no object, or its owner's quota of the day is
 *   used up; `refused` for an unsupported video; `unknown` for an object that belongs to no module
 */
export async function handleUploadCreated(context: Context, key: string) {
  const module = await findModuleOfSource(context.db, key)
  if (module === null) {
    logLine('warn', 'upload_unknown', { key })
    // Sent to an address that was given out before its module was erased: nothing else would ever remove it.
    if (!(await isSourceKnown(context.db, key))) await context.bucket.delete(key)
    return 'unknown'
  }
  try {
    await receiveUpload(context, module)
    return 'received'
  } catch (error) {
    const result = error instanceof AppError ? NOT_RECEIVED[error.code] : undefined
    if (result === undefined) throw error
    // The file stays, so that a call of `complete` can still return the reason.
    if (isRefusal(error)) logLine('warn', 'upload_refused', { moduleId: module.id, code: error.code })
    return result
  }
}
