import { ByteWindow, type Fetch, WINDOW_BYTES } from '#media/source/byte-window.ts'
import { AppError } from '#worker/core/errors.ts'

interface R2WindowOptions {
  bucket: R2Bucket
  key: string
  /** ETag without quotes, as recorded when the upload was completed. */
  etag: string
  sizeBytes: number
}

/** Where reading goes on, one request brings this much, window by window: a request costs more than a window's bytes. */
const STREAM_BYTES = 64 * 1024 * 1024

/** An answer of R2 that has been read up to a place. */
interface OpenStream {
  reader: ReadableStreamBYOBReader
  at: number
  end: number
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
  #stream: OpenStream | null = null
  #lastEnd = -1

  constructor({ bucket, key, etag, sizeBytes }: R2WindowOptions) {
    super(sizeBytes)
    this.#bucket = bucket
    this.#key = key
    this.#etag = etag
  }

  override release(): void {
    super.release()
    void this.#stream?.reader.cancel().catch(() => undefined)
    this.#stream = null
  }

  protected async fetch({ start, length, spare }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    const stream = await this.#takeStream(start, length)
    if (stream === null) return this.#read(await this.#ask(start, length), length, spare)
    try {
      return await this.#read(stream, length, spare)
    } catch {
      // It waited while a chunk was saved or a model was asked, and whoever waits may be cut off: R2 is asked again.
      return this.#read(await this.#ask(start, length), length, null)
    }
  }

  /** The open answer, where it goes on with what is wanted. The window has none while one is read, nor after a failure. */
  async #takeStream(start: number, length: number): Promise<OpenStream | null> {
    const stream = this.#stream
    this.#stream = null
    if (stream?.at === start && start + length <= stream.end) return stream
    await stream?.reader.cancel().catch(() => undefined)
    return null
  }

  async #ask(start: number, length: number): Promise<OpenStream> {
    const wanted = start === this.#lastEnd ? Math.max(length, STREAM_BYTES) : length
    const end = Math.min(this.sizeBytes, start + wanted)
    const range = { offset: start, length: end - start }
    const object = await this.#bucket.get(this.#key, { range, onlyIf: { etagMatches: this.#etag } })
    return { reader: bodyOf(object).getReader({ mode: 'byob' }), at: start, end }
  }

  async #read(stream: OpenStream, length: number, spare: ArrayBuffer | null): Promise<Uint8Array<ArrayBuffer>> {
    const into = new Uint8Array(spare ?? new ArrayBuffer(Math.max(length, WINDOW_BYTES)), 0, length)
    const { value } = await stream.reader.readAtLeast(length, into)
    if (value?.byteLength !== length) throw new Error(`R2 sent ${value?.byteLength ?? 0} of ${length} bytes`)
    stream.at += length
    this.#lastEnd = stream.at
    if (stream.at < stream.end) this.#stream = stream
    else await stream.reader.cancel().catch(() => undefined)
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
