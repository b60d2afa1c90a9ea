import { type CutOptions, cutAudioSlice, type SliceEnd } from '#media/cut-audio.ts'
import { MediaFault } from '#media/media-fault.ts'
import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { AppError } from '#worker/errors.ts'
import type { R2Window } from './r2-window.ts'

/**
 * What a stored video is. Costs a few range reads; see `readMediaFacts`.
 * @param knownDurationMs what an earlier call found, so that a file without a declared duration is not read twice
 * @throws {AppError} `module_failed` with `unreadable`, `truncated`, `source_missing` or `source_changed`
 */
export function readSourceFacts(source: R2Window, knownDurationMs: number | null = null): Promise<MediaFacts> {
  return failingModule(() => readMediaFacts(source, knownDurationMs))
}

/**
 * Cuts about ten minutes of a stored video's audio into chunks; see `cutAudioSlice`.
 * @throws {AppError} `module_failed` with `truncated` when the audio breaks off early, `unreadable`, `source_missing`
 *   or `source_changed`
 */
export function cutSourceSlice(options: CutOptions & { source: R2Window }): Promise<SliceEnd> {
  return failingModule(() => cutAudioSlice(options))
}

/** A file that cannot be used is the end of its module; this is the one place that says so. */
async function failingModule<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error
    throw new AppError('module_failed', error.message, { failure: error.code, cause: error.cause })
  }
}
