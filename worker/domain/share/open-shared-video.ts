import type { ByteRange } from '#worker/domain/module/byte-range.ts'
import { openObject } from '#worker/domain/module/serve-source.ts'
import type { ShareGrant } from './share-grant.ts'

/** The edge keeps no larger objects (Workers Cache, "Limits"). */
export const EDGE_OBJECT_MAX_BYTES = 512 * 1024 * 1024

interface VideoPlaces {
  /** Asks the edge for the whole video, or for a range of it. */
  askEdge: (range: string | null) => Promise<Response>
  bucket: R2Bucket
}

/**
 * Bytes of a shared video: out of the edge's copy where it has one to give, otherwise straight from the bucket. An edge
 * that answers with anything but the very range that was asked for is passed by.
 * @throws {AppError} not_found, source_changed
 */
export async function openSharedVideo(
  { askEdge, bucket }: VideoPlaces,
  { key, etag, sizeBytes }: ShareGrant,
  range: ByteRange | null,
): Promise<ReadableStream> {
  if (sizeBytes <= EDGE_OBJECT_MAX_BYTES) {
    const answer = await askEdge(range === null ? null : `bytes=${spanOf(range)}`)
    const isIt = range === null ? answer.status === 200 : isThatRange(answer, `bytes ${spanOf(range)}/${sizeBytes}`)
    if (isIt && answer.body !== null) return answer.body
    await answer.body?.cancel()
  }
  return openObject(bucket, key, { etag, range })
}

function isThatRange(answer: Response, contentRange: string): boolean {
  return answer.status === 206 && answer.headers.get('content-range') === contentRange
}

function spanOf({ offset, length }: ByteRange): string {
  return `${offset}-${offset + length - 1}`
}
