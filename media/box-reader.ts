import type { ByteWindow } from './byte-window.ts'

/** A box of an MP4 or MOV file: where its content lies. */
export interface Box {
  name: string
  contentStart: number
  end: number
}

const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16
/** Far more than any box holds of others; what claims more is broken. */
const MAX_CHILDREN = 10_000

/** The boxes in a section of a file, in their order. Ends at the first thing that is no box. */
export async function* readBoxes(source: ByteWindow, start: number, end: number): AsyncGenerator<Box, void> {
  for (let at = start, count = 0; at + HEAD_BYTES <= end && count < MAX_CHILDREN; count++) {
    const view = await readView(source, at, Math.min(at + LONG_HEAD_BYTES, end))
    const size = view.getUint32(0)
    const isLong = size === 1 && view.byteLength === LONG_HEAD_BYTES
    // 0: up to the end of what holds it. 1: the size follows in 64 bits.
    const length = size === 0 ? end - at : isLong ? Number(view.getBigUint64(8)) : size
    const headBytes = isLong ? LONG_HEAD_BYTES : HEAD_BYTES
    if (length < headBytes) return
    const name = String.fromCharCode(view.getUint8(4), view.getUint8(5), view.getUint8(6), view.getUint8(7))
    yield { name, contentStart: at + headBytes, end: at + length }
    at += length
  }
}

/** The first box at the end of a path of names; null when there is none. */
export async function findBox(source: ByteWindow, within: Box, ...path: string[]): Promise<Box | null> {
  let found: Box = within
  for (const name of path) {
    const child = await findChild(source, found, name)
    if (child === null) return null
    found = child
  }
  return found
}

async function findChild(source: ByteWindow, parent: Box, name: string): Promise<Box | null> {
  for await (const box of readBoxes(source, parent.contentStart, Math.min(parent.end, source.sizeBytes))) {
    if (box.name === name) return box
  }
  return null
}

/** The bytes of a section, to be read as numbers. */
export async function readView(source: ByteWindow, start: number, end: number): Promise<DataView> {
  const bytes = await source.read(start, end)
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
