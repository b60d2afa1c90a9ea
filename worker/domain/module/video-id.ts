import { VIDEO_MARK_CHARS } from '#contract/image.ts'
import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from './module-store.ts'

/** Id of the module that a video was uploaded for: another one than its module's after a new recording was taken. */
export function videoIdOf({ sourceKey }: Pick<ModuleRow, 'sourceKey'>): string {
  return sourceKey.split('/')[1] ?? sourceKey
}

/**
 * What begins the names of images of the video that a module has: images of another one would be taken for them. Undefined
 * for the video that the module was uploaded with. Not the whole id: learners see it.
 */
export function videoMarkOf(module: Pick<ModuleRow, 'id' | 'sourceKey'>): string | undefined {
  const videoId = videoIdOf(module)
  return videoId === module.id ? undefined : videoId.slice(0, VIDEO_MARK_CHARS)
}

/**
 * Requires that what a browser has made is of the video that a module has now. A page that names none has the one that
 * the module was uploaded with.
 * @throws {AppError} source_changed
 */
export function requireSameVideo(module: Pick<ModuleRow, 'id' | 'sourceKey'>, videoId: string = module.id): void {
  if (videoId !== videoIdOf(module)) throw videoReplaced()
}

/** What a browser is told that has worked on a video which was replaced meanwhile. */
export function videoReplaced(): AppError {
  return new AppError('source_changed', 'The video of this training has been replaced meanwhile.')
}
