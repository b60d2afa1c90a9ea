import type { ByteWindow } from './byte-window.ts'

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
    const at = this.#used
    this.#slab.set(held, at)
    this.#used += size
    return { bytes: this.#slab, view: this.#view, offset: start - at }
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
