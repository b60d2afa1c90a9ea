import { AppError } from '#worker/errors.ts'

/** One range read brings this much while reading runs on: 47 reads for ten minutes of a 1.1 GB file, not 28,000. */
const WINDOW_BYTES = 4 * 1024 * 1024
/** What is fetched after a jump, where it is not known yet whether reading runs on from there. */
const PROBE_BYTES = 256 * 1024
/** A shorter jump ahead is read through: one more range read costs more than the bytes that it would save. */
const READ_THROUGH_BYTES = 1024 * 1024
/** A single piece larger than this does not fit an isolate of 128 MB beside the rest; no sane file asks for it. */
const MAX_PIECE_BYTES = 48 * 1024 * 1024

/** Indexes and clusters; there are few of them, and they are most of what a slice leaves behind. */
const LARGE_PIECE_BYTES = 128 * 1024

interface R2WindowOptions {
  bucket: R2Bucket
  key: string
  /** ETag without quotes, as recorded when the upload was completed. */
  etag: string
  sizeBytes: number
}

/**
 * Random access over an object in R2 by range reads, with one buffer for all of them. Only the object with the given
 * ETag is ever read. Reads may overlap in time; they are carried out one after the other.
 */
export class R2Window {
  readonly sizeBytes: number
  /** Range reads so far. */
  reads = 0
  /** Bytes fetched so far. */
  fetchedBytes = 0
  /** What the last failed read met, so that a reader of media can tell lost access from broken content. */
  failure: unknown = null

  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #etag: string
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  #start = 0
  #end = 0
  #lastEnd = -1
  /** Weak: what nobody uses any more may go before. */
  readonly #largePieces: WeakRef<Uint8Array<ArrayBuffer>>[] = []
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ bucket, key, etag, sizeBytes }: R2WindowOptions) {
    this.#bucket = bucket
    this.#key = key
    this.#etag = etag
    this.sizeBytes = sizeBytes
  }

  /**
   * A copy of the bytes from `start` to before `end`; at once when the buffer holds them.
   * @throws {AppError} `module_failed` with `source_missing` or `source_changed` when the object is not there any more
   *   as it was, `unreadable` when one piece is absurdly large; any other error is a passing fault of R2
   */
  read(start: number, end: number): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
    if (start >= this.#start && end <= this.#end) return this.#bytes.slice(start - this.#start, end - this.#start)
    const piece = this.#queue.then(() => this.#readPiece(start, end))
    // The next read runs whatever became of this one; whoever asked for this one gets its error.
    this.#queue = piece.then(
      () => undefined,
      () => undefined,
    )
    return piece
  }

  /** The bytes as they lie in the buffer, until the next read; null when it does not hold all of them. */
  viewHeld(start: number, end: number): Uint8Array | null {
    if (start < this.#start || end > this.#end) return null
    return this.#bytes.subarray(start - this.#start, end - this.#start)
  }

  /**
   * Gives the buffer and all large pieces back at once instead of leaving them to be collected; nothing that was read is
   * to be used any more. Reading on is possible, and takes a new buffer.
   */
  release(): void {
    for (const piece of this.#largePieces) piece.deref()?.buffer.transfer(0)
    this.#largePieces.length = 0
    // While a fetch is under way the buffer is the stream's.
    if (this.#end === 0) return
    this.#start = 0
    this.#end = 0
    this.#bytes.buffer.transfer(0)
  }

  async #readPiece(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    if (end > this.sizeBytes || start < 0) throw new RangeError(`${start}–${end} is outside of ${this.sizeBytes} bytes`)
    if (end - start > MAX_PIECE_BYTES) {
      throw new AppError(
        'module_failed',
        'This file is built in a way that Adapt cannot read. Export it again as MP4.',
        {
          failure: 'unreadable',
        },
      )
    }
    const piece = new Uint8Array(end - start)
    if (piece.byteLength > LARGE_PIECE_BYTES) this.#largePieces.push(new WeakRef(piece))
    for (let at = start; at < end; ) {
      if (at < this.#start || at >= this.#end) {
        if (end - at > WINDOW_BYTES) {
          const rest = await this.#fetch(at, new Uint8Array(end - at))
          piece.set(rest, at - start)
          rest.buffer.transfer(0)
          break
        }
        await this.#moveTo(at, end - at)
      }
      const until = Math.min(end, this.#end)
      piece.set(this.#bytes.subarray(at - this.#start, until - this.#start), at - start)
      at = until
    }
    return piece
  }

  async #moveTo(start: number, neededBytes: number): Promise<void> {
    const ahead = start - this.#lastEnd
    // The first read too: with its index in front, most of what is asked for next lies within.
    const readsOn = this.#lastEnd < 0 || (ahead >= 0 && ahead < READ_THROUGH_BYTES)
    const wanted = Math.max(neededBytes, readsOn ? WINDOW_BYTES : PROBE_BYTES)
    const length = Math.min(wanted, this.sizeBytes - start)
    // While the fetch is under way the buffer belongs to the stream: nobody may be served from it.
    const buffer = this.#bytes.buffer.byteLength === WINDOW_BYTES ? this.#bytes.buffer : new ArrayBuffer(WINDOW_BYTES)
    this.#start = 0
    this.#end = 0
    this.#bytes = await this.#fetch(start, new Uint8Array(buffer, 0, length))
    this.#start = start
    this.#end = start + length
    this.#lastEnd = this.#end
  }

  async #fetch(start: number, into: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const length = into.byteLength
    try {
      const range = { offset: start, length }
      const object = await this.#bucket.get(this.#key, { range, onlyIf: { etagMatches: this.#etag } })
      const reader = bodyOf(object).getReader({ mode: 'byob' })
      const { value } = await reader.readAtLeast(length, into)
      await reader.cancel()
      if (value?.byteLength !== length) throw new Error(`R2 sent ${value?.byteLength ?? 0} of ${length} bytes`)
      this.reads++
      this.fetchedBytes += length
      return value
    } catch (error) {
      this.failure = error
      throw error
    }
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
