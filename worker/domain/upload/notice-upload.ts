import { isSourceKnown } from '#worker/domain/module/deleted-store.ts'
import { findModuleOfSource } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { isRefusal, receiveUpload, type UploadDeps } from './receive-upload.ts'

/**
 * The result of an event notification for an object: `received`, also when it was before; `absent` while there is no
 * object, or its owner's quota of the day is used up; `refused` for an unsupported video; `unknown` for an object that
 * belongs to no module.
 */
export type UploadNotification = 'received' | 'absent' | 'refused' | 'unknown'

/**
 * Starts what `complete` would have started, when its call never came: the tab was closed, or the answer got lost.
 * Notifications may come any number of times, late, and for any object.
 * @param key of the object in the bucket
 */
export async function noticeUpload(deps: UploadDeps, key: string): Promise<UploadNotification> {
  const module = await findModuleOfSource(deps.db, key)
  if (module === null) {
    logLine('warn', 'upload_unknown', { key })
    // Sent to an address that was given out before its module was erased: nothing else would ever remove it.
    if (!(await isSourceKnown(deps.db, key))) await deps.bucket.delete(key)
    return 'unknown'
  }
  try {
    await receiveUpload(deps, module)
    return 'received'
  } catch (error) {
    // Retried later, when the day's quota may allow it.
    if (error instanceof AppError && LATER.has(error.code)) return 'absent'
    // Cancelled at this very moment.
    if (error instanceof AppError && error.code === 'not_found') return 'unknown'
    if (!isRefusal(error)) throw error
    // The file stays, so that a call of `complete` can still return the reason.
    logLine('warn', 'upload_refused', { moduleId: module.id, code: error.code })
    return 'refused'
  }
}

const LATER: ReadonlySet<string> = new Set(['upload_missing', 'quota_reached'])
