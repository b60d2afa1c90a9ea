import type { ChunkRow } from './chunk-store.ts'

/**
 * Opens the object of an audio chunk that was checked when it arrived: addresses that were handed out take another PUT
 * for a quarter of an hour.
 * @returns null when nothing is there; an object without a body when another one has taken its place
 */
export function openAudioChunk(
  bucket: R2Bucket,
  { key, etag }: Pick<ChunkRow, 'key' | 'etag'>,
): Promise<R2ObjectBody | R2Object | null> {
  return etag === null ? bucket.get(key) : bucket.get(key, { onlyIf: { etagMatches: etag } })
}
