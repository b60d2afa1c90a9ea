import * as m from '#messages'
import { findConverted, hasRoomFor, nameFolder, removeConversion, storageIsFull } from './convert/converted-files.ts'
import { runFileTask } from './file-worker/run-file-task.ts'
import { noteHandle } from './kept-files.ts'

export interface ConvertRequest {
  file: File
  knownDurationMs: number | null
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/** Folders of the files that were converted in this tab. */
const folders = new WeakMap<File, string>()

/**
 * Makes an MP4 that everybody can watch of a picked video, in this browser.
 * @throws where that fails; nothing of it stays in storage then
 */
export async function convertFile({ file, knownDurationMs, onProgress, signal }: ConvertRequest): Promise<File> {
  const folder = nameFolder(Date.now())
  const name = nameConverted(file.name)
  try {
    // How large the result gets is known at its end; it is seldom larger than the picked file.
    if (!(await hasRoomFor(file.size))) throw storageIsFull()
    const task = { kind: 'convert', file, knownDurationMs, folder, name } as const
    for await (const { percent } of runFileTask(task, { signal })) {
      onProgress(percent)
    }
    const handle = await findConverted(folder, name)
    const converted = await handle.getFile()
    // The upload can be continued after a reload, though no one has picked this file.
    noteHandle(converted, handle)
    folders.set(converted, folder)
    return converted
  } catch (error) {
    await removeConversion(folder)
    throw error
  }
}

/** Removes a converted video from storage; any other file stays where it is. Never rejects. */
export async function removeConverted(file: File): Promise<void> {
  const folder = folders.get(file)
  if (folder !== undefined) await removeConversion(folder)
}

/** `clip.mov` becomes `clip.mp4`. */
export function nameConverted(name: string): string {
  return `${name.replace(/\.\w{1,5}$/, '').replace(/[\\/]/g, ' ') || 'video'}.mp4`
}

/** Why a conversion has failed, and what to do. */
export function whatToDoAfter(error: unknown): string {
  const { name } = error instanceof Error ? error : new Error()
  if (name === 'TimeoutError') return m.conversion_got_no_further()
  if (name !== 'QuotaExceededError') return m.export_or_upload_as_is()
  return m.no_room_for_converted()
}
