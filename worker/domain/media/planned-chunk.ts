import type { AudioChunk, AudioContentType, AudioPart } from '#media/audio-chunk.ts'

/** A chunk of a video's audio that lies in the bucket. */
export interface PlannedChunk extends Omit<AudioChunk, 'bytes' | 'contentType'> {
  key: string
  contentType: string
  /** Of all its files. */
  sizeBytes: number
  /** Null where it is not known which object was checked. */
  etag: string | null
}

/** A file in the object of a chunk. */
export interface PlacedPart extends AudioPart {
  offset: number
}

/** All files of a chunk, in the order of its object. */
export function listParts(chunk: Omit<PlannedChunk, 'key' | 'etag'>): PlacedPart[] {
  const { contentType, audioStartMs, audioDurationMs, parts } = chunk
  const firstBytes = parts.reduce((left, { sizeBytes }) => left - sizeBytes, chunk.sizeBytes)
  const first = { contentType: contentType as AudioContentType, audioStartMs, audioDurationMs, sizeBytes: firstBytes }
  let endsAt = 0
  return [first, ...parts].map((part) => ({ ...part, offset: (endsAt += part.sizeBytes) - part.sizeBytes }))
}

/**
 * Opens the object of an audio chunk that was checked when it arrived: addresses that were handed out take another PUT
 * for a quarter of an hour.
 * @param part the file in it that is wanted; null for all
 * @returns null when nothing is there; an object without a body when another one has taken its place
 */
export function openAudioChunk(
  bucket: R2Bucket,
  { key, etag }: Pick<PlannedChunk, 'key' | 'etag'>,
  part: PlacedPart | null = null,
): Promise<R2ObjectBody | R2Object | null> {
  return bucket.get(key, {
    ...(etag !== null && { onlyIf: { etagMatches: etag } }),
    ...(part !== null && { range: { offset: part.offset, length: part.sizeBytes } }),
  })
}
