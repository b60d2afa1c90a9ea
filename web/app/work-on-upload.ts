import { copyQueue } from '#web/features/upload/small-copy/copy-queue.ts'
import type { UploadItem } from '#web/features/upload/upload-item.ts'
import { readUploadedScreen } from './read-uploaded-screen.ts'
import { watchSparing } from './shared/watch-sparing.ts'

/** Reads the screen of an uploaded video, then makes its small copy, until the person leaves or another one signs in. */
export async function workOnUpload(item: UploadItem, options: Parameters<typeof readUploadedScreen>[1]): Promise<void> {
  const { callApi, isBusy, isOver } = options
  await readUploadedScreen(item, options)
  const { attempt, file } = item
  if (attempt === null || file === null) return
  const isSparing = await watchSparing()
  if (isSparing() || isOver()) return
  copyQueue.add([attempt.moduleId], { callApi, isUploading: isBusy, isSparing }, { file })
}
