import { AppError } from '#worker/core/errors.ts'
import type { ModuleRow } from './module-store.ts'

/** Id of the module that a video was uploaded for: another one than its module's after a new recording was taken. */
export function videoIdOf({ sourceKey }: Pick<ModuleRow, 'sourceKey'>): string {
  return sourceKey.split('/')[1] ?? sourceKey
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
