import { type CutOptions, cutAudioSlice, type SliceEnd } from '#media/cut-audio.ts'
import { failingModule } from './failing-module.ts'
import type { R2Window } from './r2-window.ts'

/**
 * Cuts about ten minutes of a stored video's audio into chunks; see `cutAudioSlice`.
 * @throws {AppError} `module_failed` with `unreadable`, `source_missing` or `source_changed`; a file that breaks off is
 *   refused when its facts are read
 */
export function cutSourceSlice(options: CutOptions & { source: R2Window }): Promise<SliceEnd> {
  return failingModule(() => cutAudioSlice(options))
}
