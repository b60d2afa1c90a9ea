import type { AudioChunk } from '#media/audio-chunk.ts'
import { MediaFault } from '#media/byte-window.ts'
import { type CutOptions, cutAudioSlice, type SliceEnd } from '#media/cut-audio.ts'
import { AppError } from '#worker/core/errors.ts'
import type { R2Window } from './r2-window.ts'

/**
 * Cuts about ten minutes of a stored video's audio into chunks; see `cutAudioSlice`.
 * @throws {AppError} `module_failed` with `unreadable`, `source_missing` or `source_changed`; a file that breaks off is
 *   refused when its facts are read
 */
export function cutSourceSlice(options: CutOptions & { source: R2Window }): Promise<SliceEnd> {
  return failingModule(() => cutAudioSlice(options))
}

/** A file that cannot be used is the end of its module; this is the one place that says so. */
export async function failingModule<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error
    throw new AppError('module_failed', error.message, { failure: error.code, cause: error.cause })
  }
}

/** A chunk of a video's audio that lies in the bucket. */
export interface PlannedChunk extends Omit<AudioChunk, 'bytes' | 'contentType'> {
  key: string
  contentType: string
  sizeBytes: number
  /** Null where it is not known which object was checked. */
  etag: string | null
}

/**
 * Opens the object of an audio chunk that was checked when it arrived: addresses that were handed out take another PUT
 * for a quarter of an hour.
 * @returns null when nothing is there; an object without a body when another one has taken its place
 */
export function openAudioChunk(
  bucket: R2Bucket,
  { key, etag }: Pick<PlannedChunk, 'key' | 'etag'>,
): Promise<R2ObjectBody | R2Object | null> {
  return etag === null ? bucket.get(key) : bucket.get(key, { onlyIf: { etagMatches: etag } })
}
