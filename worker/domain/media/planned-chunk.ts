import type { AudioChunk } from '#media/audio-chunk.ts'

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
