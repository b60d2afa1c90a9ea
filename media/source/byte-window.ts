/** Faults of a file: it cannot be read at all, a part of it is missing, or it is protected against copying. */
export type MediaFaultCode = 'unreadable' | 'truncated' | 'encrypted'

/** A file that cannot be used. `message` is written for the person who chose it: what is wrong and what to do. */
export class MediaFault extends Error {
  readonly code: MediaFaultCode

  constructor(code: MediaFaultCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'MediaFault'
    this.code = code
  }
}

/** Makes the fault of content that cannot be as it says. */
export function damaged(): MediaFault {
  return new MediaFault('unreadable', 'This file is damaged, so Adapt cannot read it. Export it again as MP4.')
}

/** Makes a view of the same bytes, to read numbers. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** One read brings this much while reading runs on: 47 reads for ten minutes of a 1.1 GB file, not 28,000. */
export const WINDOW_BYTES = 4 * 1024 * 1024
/** Bytes that are fetched after a jump, when it is not known yet whether reading continues there. */
const PROBE_BYTES = 256 * 1024
/** As long as reading continues, each read brings this many times what the last one brought. */
const GROWTH = 4
/** A shorter jump ahead is read through: one more read costs more than the bytes that it would save. */
const READ_THROUGH_BYTES = 1024 * 1024
/** A larger piece does not fit into an isolate of 128 MB; no valid file needs one. */
const MAX_PIECE_BYTES = 48 * 1024 * 1024

/** Indexes and clusters; there are few of them, and they are most of what a slice leaves behind. */
const LARGE_PIECE_BYTES = 128 * 1024

/** A byte range that a window asks its storage for. */
export interface Fetch {
  start: number
  length: number
  /** A free buffer of {@link WINDOW_BYTES}, to be filled or returned; null: there is none. */
  spare: ArrayBuffer | null
}

/** One run of bytes that is held, and where its last fetch ended. */
class Held {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  start = 0
  end = 0
  lastEnd = -1
  lastLength = WINDOW_BYTES

  has(start: number, end: number): boolean {
    return start >= this.start && end <= this.end
  }

  view(start: number, end: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(start - this.start, end - this.start)
  }
}

/**
 * Random access over a file, with one buffer for all reads, or one for each of its readers. Where its bytes come from is
 * said by `fetch`: R2 on the server, a picked file in the browser. Reads may overlap in time; they are carried out one
 * after the other.
 */
export abstract class ByteWindow {
  readonly sizeBytes: number
  /** Reads so far. */
  reads = 0
  /** Bytes fetched so far. */
  fetchedBytes = 0
  /** The error of the last failed read, so that a reader of media can distinguish lost access from broken content. */
  failure: unknown = null

  readonly #buffers: readonly Held[]
  /** Weak, so that a piece without readers can be collected earlier. */
  readonly #largePieces: WeakRef<Uint8Array<ArrayBuffer>>[] = []
  #queue: Promise<unknown> = Promise.resolve()

  /** @param readers places of the file that are read at the same time; with fewer buffers each would refill the other's */
  constructor(sizeBytes: number, readers = 1) {
    this.sizeBytes = sizeBytes
    this.#buffers = Array.from({ length: readers }, () => new Held())
  }

  /** Brings exactly `length` bytes, into the spare buffer or another one. */
  protected abstract fetch(what: Fetch): Promise<Uint8Array<ArrayBuffer>>

  /**
   * A copy of the bytes from `start` to before `end`; at once when the buffer holds them.
   * @throws {MediaFault} `unreadable` when one piece is absurdly large; any other error is one of the storage, and kept
   *   as `failure`
   */
  read(start: number, end: number): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
    const held = this.viewHeld(start, end)
    if (held !== null) return this.#noteLarge(held.slice())
    const piece = this.#queue.then(() => this.#readPiece(start, end))
    // The next read runs whether this one succeeds or fails; only the caller of this one gets its error.
    this.#queue = piece.then(
      () => undefined,
      () => undefined,
    )
    return piece
  }

  /** The bytes as they lie in a buffer, until the next read; null when none holds all of them. */
  viewHeld(start: number, end: number): Uint8Array<ArrayBuffer> | null {
    for (const buffer of this.#buffers) if (buffer.has(start, end)) return buffer.view(start, end)
    return null
  }

  /**
   * Gives the buffers and all large pieces back at once instead of leaving them to be collected; nothing that was read is
   * to be used any more. Reading on is possible, and takes a new buffer.
   */
  release(): void {
    for (const piece of this.#largePieces) piece.deref()?.buffer.transfer(0)
    this.#largePieces.length = 0
    for (const buffer of this.#buffers) {
      // While a fetch is under way the buffer belongs to the storage.
      if (buffer.end === 0) continue
      buffer.start = 0
      buffer.end = 0
      buffer.bytes.buffer.transfer(0)
    }
  }

  async #readPiece(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    if (end > this.sizeBytes || start < 0) throw new RangeError(`${start}–${end} is outside of ${this.sizeBytes} bytes`)
    if (end - start > MAX_PIECE_BYTES) {
      throw new MediaFault('unreadable', 'This file is built in a way that Adapt cannot read. Export it again as MP4.')
    }
    const piece = this.#noteLarge(new Uint8Array(end - start))
    for (let offset = start; offset < end; ) {
      let buffer = this.#buffers.find((each) => each.has(offset, offset + 1))
      if (buffer === undefined) {
        if (end - offset > WINDOW_BYTES) {
          const rest = await this.#fetch({ start: offset, length: end - offset, spare: null })
          piece.set(rest, offset - start)
          rest.buffer.transfer(0)
          break
        }
        buffer = this.#findNearest(offset)
        await this.#move(buffer, offset, end - offset)
      }
      const until = Math.min(end, buffer.end)
      piece.set(buffer.view(offset, until), offset - start)
      offset = until
    }
    return piece
  }

  #noteLarge(piece: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (piece.byteLength > LARGE_PIECE_BYTES) this.#largePieces.push(new WeakRef(piece))
    return piece
  }

  /** Each reader keeps to one buffer, because the nearest to its next place is the one that it has read from. */
  #findNearest(place: number): Held {
    const distanceOf = ({ lastEnd }: Held) => Math.abs(place - lastEnd)
    return this.#buffers.reduce((nearest, each) => (distanceOf(each) < distanceOf(nearest) ? each : nearest))
  }

  async #move(buffer: Held, place: number, neededBytes: number): Promise<void> {
    const isFirst = buffer.lastEnd < 0
    const ahead = place - buffer.lastEnd
    // Also for the first read: a file with its index in front has the next reads within this window.
    const readsOn = isFirst || (ahead >= 0 && ahead < READ_THROUGH_BYTES)
    // A storage that streams goes on where the last fetch ended.
    const start = readsOn && !isFirst && ahead + neededBytes <= WINDOW_BYTES ? buffer.lastEnd : place
    const usual = readsOn ? Math.min(WINDOW_BYTES, GROWTH * buffer.lastLength) : PROBE_BYTES
    const length = Math.min(Math.max(place - start + neededBytes, usual), this.sizeBytes - start)
    // While the fetch is under way the buffer belongs to the storage, so no read may be served from it.
    const spare = buffer.bytes.buffer.byteLength === WINDOW_BYTES ? buffer.bytes.buffer : null
    buffer.start = 0
    buffer.end = 0
    buffer.bytes = await this.#fetch({ start, length, spare })
    buffer.start = start
    buffer.end = start + length
    buffer.lastEnd = buffer.end
    buffer.lastLength = length
  }

  async #fetch(what: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    try {
      const bytes = await this.fetch(what)
      if (bytes.byteLength !== what.length) throw new Error(`${bytes.byteLength} of ${what.length} bytes came`)
      this.reads++
      this.fetchedBytes += what.length
      return bytes
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

/**
 * Readers that are under way. Chromium collects a blob's stream whose reader nothing else refers to, even while a read
 * is awaited, and then the read never ends.
 */
const underWay = new Set<ReadableStreamBYOBReader>()

/** Random access over a file that a person has picked. */
export class BlobWindow extends ByteWindow {
  readonly #blob: Blob

  constructor(blob: Blob, readers = 1) {
    super(blob.size, readers)
    this.#blob = blob
  }

  /** Fails when the file has been changed, moved or locked since it was picked. */
  protected async fetch({ start, length, spare }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    const slice = this.#blob.slice(start, start + length)
    const reader = openByteReader(slice)
    // Garbage collection came too late here: Chromium held as much memory as the file has bytes.
    if (reader === null) return new Uint8Array(await slice.arrayBuffer())
    underWay.add(reader)
    try {
      return await fill(spare ?? new ArrayBuffer(Math.max(length, WINDOW_BYTES)), length, reader)
    } finally {
      underWay.delete(reader)
    }
  }
}

async function fill(into: ArrayBuffer, length: number, reader: ReadableStreamBYOBReader) {
  let buffer = into
  let filled = 0
  while (filled < length) {
    const { value, done } = await reader.read(new Uint8Array(buffer, filled, length - filled))
    if (done) break
    buffer = value.buffer
    filled += value.byteLength
  }
  await reader.cancel()
  return new Uint8Array(buffer, 0, filled)
}

/** Fills a buffer that is there already; null where a blob's stream is not one of bytes. */
function openByteReader(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

/** Packets of audio are a few hundred bytes: this many bytes of them share one buffer. */
const SLAB_BYTES = 256 * 1024
const SMALL_PIECE_BYTES = 16 * 1024

/** Bytes of a file inside a larger buffer. */
export interface Piece {
  bytes: Uint8Array
  view: DataView
  /** Where in the file the first of `bytes` would lie. */
  offset: number
}

/**
 * Reads pieces out of a window as copies, since the window moves on. A small piece that the window holds is answered at
 * once, from a buffer that it shares with its neighbours: making one for every packet is what reading audio costs most.
 */
export class SlabReader {
  readonly source: ByteWindow
  #slab = new Uint8Array(0)
  #view = new DataView(this.#slab.buffer)
  #used = 0

  constructor(source: ByteWindow) {
    this.source = source
  }

  read(start: number, end: number): Piece | Promise<Piece> {
    return this.#readHeld(start, end) ?? this.#readLater(start, end)
  }

  #readHeld(start: number, end: number): Piece | null {
    const size = end - start
    if (size > SMALL_PIECE_BYTES) return null
    const held = this.source.viewHeld(start, end)
    if (held === null) return null
    if (this.#used + size > this.#slab.byteLength) this.#startSlab()
    const slabOffset = this.#used
    this.#slab.set(held, slabOffset)
    this.#used += size
    return { bytes: this.#slab, view: this.#view, offset: start - slabOffset }
  }

  async #readLater(start: number, end: number): Promise<Piece> {
    const bytes = await this.source.read(start, end)
    return { bytes, view: new DataView(bytes.buffer), offset: start }
  }

  #startSlab(): void {
    this.#slab = new Uint8Array(SLAB_BYTES)
    this.#view = new DataView(this.#slab.buffer)
    this.#used = 0
  }
}
