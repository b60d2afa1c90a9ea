import { type ByteWindow, viewOf } from '../source/byte-window.ts'

/** A box of an MP4 or MOV file: where its content lies. */
export interface Box {
  name: string
  contentStart: number
  end: number
}

/** Size and name. */
export const BOX_HEAD_BYTES = 8
/** The same, with a size of 64 bits. */
export const LONG_BOX_HEAD_BYTES = 16
/** What a table begins with: version and flags, then the number of entries. */
export const TABLE_HEAD_BYTES = 8
/** Boxes between the movie and the tables of a track. */
export const TRACK_BOXES: ReadonlySet<string> = new Set(['trak', 'mdia', 'minf', 'stbl'])
/** Far more children than any real box has; a box with more is broken. */
const MAX_CHILDREN = 10_000

/** Reads the head of a box; a size of 1 means that the real size follows in 64 bits. */
export function readHead(view: DataView, offset: number): { name: string; headBytes: number; size: number } {
  const [a, b, c, d] = [
    view.getUint8(offset + 4),
    view.getUint8(offset + 5),
    view.getUint8(offset + 6),
    view.getUint8(offset + 7),
  ]
  const name = String.fromCharCode(a, b, c, d)
  const size = view.getUint32(offset)
  if (size !== 1 || offset + LONG_BOX_HEAD_BYTES > view.byteLength) return { name, headBytes: BOX_HEAD_BYTES, size }
  return { name, headBytes: LONG_BOX_HEAD_BYTES, size: Number(view.getBigUint64(offset + BOX_HEAD_BYTES)) }
}

/** Reads the boxes in a byte range of a file, in order. Ends at the first bytes that are no box. */
export async function* readBoxes(source: ByteWindow, start: number, end: number): AsyncGenerator<Box, void> {
  for (let offset = start, count = 0; offset + BOX_HEAD_BYTES <= end && count < MAX_CHILDREN; count++) {
    const { name, headBytes, size } = readHead(
      await readView(source, offset, Math.min(offset + LONG_BOX_HEAD_BYTES, end)),
      0,
    )
    // A size of 0 means up to the end of the parent.
    const length = size === 0 ? end - offset : size
    if (length < headBytes) return
    yield { name, contentStart: offset + headBytes, end: offset + length }
    offset += length
  }
}

/**
 * Walks the boxes in bytes that are in memory, as far as their heads are there. Treats a box that claims less than its
 * head as a head alone; others keep the size they claim.
 * @param entered names of boxes whose content is walked through as if it lay beside them
 */
export function* walkBoxes(
  view: DataView,
  { from, until, entered }: { from: number; until: number; entered: ReadonlySet<string> },
): Generator<Box, void> {
  for (let offset = from; offset + BOX_HEAD_BYTES <= until; ) {
    const { name, headBytes, size } = readHead(view, offset)
    const length = Math.max(size, headBytes)
    yield { name, contentStart: offset + headBytes, end: offset + length }
    offset += entered.has(name) ? headBytes : length
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

/** A byte range, to be read as numbers. */
export async function readView(source: ByteWindow, start: number, end: number): Promise<DataView> {
  return viewOf(await source.read(start, end))
}

/**
 * The number behind the two dates of a head: the id of a track, the timescale of its media or of the movie.
 * @returns null where there is no such head
 */
export async function readHeadNumber(source: ByteWindow, within: Box, ...path: string[]): Promise<number | null> {
  const head = await findBox(source, within, ...path)
  if (head === null || head.end - head.contentStart < HEAD_NUMBER_END) return null
  const view = await readView(source, head.contentStart, head.contentStart + HEAD_NUMBER_END)
  return view.getUint32(view.getUint8(0) === 1 ? 20 : 12)
}

/** In the larger of the two layouts, which no head is shorter than. */
const HEAD_NUMBER_END = 24
