import { ByteWindow, type Fetch, WINDOW_BYTES } from './byte-window.ts'

/** Random access over a file that a person has picked. */
export class BlobWindow extends ByteWindow {
  readonly #blob: Blob

  constructor(blob: Blob) {
    super(blob.size)
    this.#blob = blob
  }

  /** Fails when the file has been changed, moved or locked since it was picked. */
  protected async fetch({ start, length, spare }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    const slice = this.#blob.slice(start, start + length)
    const reader = openByteReader(slice)
    // Nothing collects what this leaves behind in time: Chromium held as much as the file is large.
    if (reader === null) return new Uint8Array(await slice.arrayBuffer())
    let buffer = spare ?? new ArrayBuffer(Math.max(length, WINDOW_BYTES))
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
}

/** Fills a buffer that is there already; null where a blob's stream is not one of bytes. */
function openByteReader(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: 'byob' })
  } catch {
    return null
  }
}
