import { ByteWindow, type Fetch, WINDOW_BYTES } from '#media/source/byte-window.ts'
import { AppError } from '#worker/core/errors.ts'

interface R2WindowOptions {
  bucket: R2Bucket
  key: string
  /** ETag without quotes, as recorded when the upload was completed. */
  etag: string
  sizeBytes: number
}

/**
 * Random access over an object in R2 by range reads. Only the object with the given ETag is ever read. A read fails with
 * an `AppError` `module_failed` of `source_missing` or `source_changed` when the object is not there any more as it was;
 * any other error is a passing fault of R2.
 */
export class R2Window extends ByteWindow {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #etag: string

  constructor({ bucket, key, etag, sizeBytes }: R2WindowOptions) {
    super(sizeBytes)
    this.#bucket = bucket
    this.#key = key
    this.#etag = etag
  }

  protected async fetch({ start, length, spare }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    const range = { offset: start, length }
    const object = await this.#bucket.get(this.#key, { range, onlyIf: { etagMatches: this.#etag } })
    const reader = bodyOf(object).getReader({ mode: 'byob' })
    const into = new Uint8Array(spare ?? new ArrayBuffer(Math.max(length, WINDOW_BYTES)), 0, length)
    const { value } = await reader.readAtLeast(length, into)
    await reader.cancel()
    if (value === undefined) throw new Error(`R2 sent none of ${length} bytes`)
    return value
  }
}

function bodyOf(object: R2ObjectBody | R2Object | null): ReadableStream {
  if (object === null) {
    throw new AppError('module_failed', 'The uploaded video is gone from storage. Upload it again.', {
      failure: 'source_missing',
    })
  }
  // R2 answers a condition that does not hold with the object's head alone.
  if (!('body' in object)) {
    throw new AppError('module_failed', 'The uploaded video was replaced while it was processed. Upload it again.', {
      failure: 'source_changed',
    })
  }
  return object.body
}
