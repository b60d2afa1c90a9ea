import * as m from '#messages'
import { findHandle } from './kept-files.ts'
import { UploadError } from './upload-error.ts'

/** Why a picked file cannot be sent as it was picked. */
export type FileFault = 'growing' | 'in_cloud' | 'changed'

/** A recorder writes at least this often. */
const RECENT_MS = 10_000
/** In this time a recording grows by some frames. */
const MOMENT_MS = 1_000
/** A file that a cloud drive is downloading meanwhile is not waited for. */
const READ_WITHIN_MS = 4_000

/**
 * Looks for what keeps a file from being sent: a `File` is a snapshot, which cannot be read any more once the file on
 * the disk is another one. Where the browser keeps a way back to it, it is compared with what is there now.
 */
export async function findFileFault(
  file: File,
  { isJustPicked, momentMs = MOMENT_MS }: { isJustPicked: boolean; momentMs?: number },
): Promise<FileFault | null> {
  const isRecent = Date.now() - file.lastModified < RECENT_MS
  try {
    const handle = findHandle(file)
    // Without a way back the file would be the same snapshot a moment later.
    if (handle && isRecent && !isJustPicked) await new Promise((resolve) => setTimeout(resolve, momentMs))
    const current = (await handle?.getFile()) ?? file
    if (current.size !== file.size || current.lastModified !== file.lastModified) {
      return Date.now() - current.lastModified < RECENT_MS ? 'growing' : 'changed'
    }
    await readFirstByte(file)
    return null
  } catch (error) {
    if (!isReadFault(error)) throw error
    if (error.name === 'NotFoundError') return 'changed'
    if (isRecent) return 'growing'
    // What was never read is not on this device; what could be read before has been changed since.
    return isJustPicked ? 'in_cloud' : 'changed'
  }
}

async function readFirstByte(file: Blob): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, READ_WITHIN_MS)
  try {
    await Promise.race([file.slice(0, 1).arrayBuffer(), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** @throws {UploadError} where a file can no longer be read, which a request reports as a broken connection */
export async function requireReadable(file: Blob): Promise<void> {
  try {
    await readFirstByte(file)
  } catch (error) {
    if (isReadFault(error)) throw fileError('changed')
    throw error
  }
}

/** Whether a browser could not read a file; the file worker hands over no more of an error than its name. */
export function isReadFault(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'NotReadableError' || error.name === 'NotFoundError')
}

const TEXTS: Record<FileFault, readonly [message: string, detail: string]> = {
  growing: [m.file_still_being_written(), m.wait_for_end_of_recording()],
  in_cloud: [m.file_in_cloud_only(), m.download_file_first()],
  changed: [m.file_changed_or_removed(), m.choose_changed_file_again()],
}

/** A file that has been downloaded can be sent as it was picked; otherwise another snapshot is needed. */
export function fileError(fault: FileFault): UploadError {
  const [message, detail] = TEXTS[fault]
  return new UploadError(message, detail, fault === 'in_cloud' ? {} : { retry: 'none' })
}
