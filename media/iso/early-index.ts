import { type ByteWindow, viewOf } from '../source/byte-window.ts'
import { BOX_HEAD_BYTES, readBoxes, TABLE_HEAD_BYTES, TRACK_BOXES, walkBoxes } from './iso-boxes.ts'

/**
 * How the index of an MP4 or MOV moves from behind its media to the beginning, where a player finds it with its first
 * request. The file keeps its length: what lies between the two places is served `indexBytes` later. Bytes.
 */
export interface EarlyIndex {
  /** Where the index is put: behind the box that names the format. */
  insertAt: number
  /** Where it stands in the file. */
  indexAt: number
  indexBytes: number
}

/** The copy that is changed and the one that was read fit into an isolate beside a slice of audio. Ten hours have 12 MB. */
const INDEX_MAX_BYTES = 16 * 1024 * 1024
/** The box that names the format has 24 to 40 bytes. */
const INSERT_MAX = 4096
/** A usual file has three or four boxes. Each may cost a read, so a file of more keeps its index where it is. */
const MAX_BOXES = 12

/**
 * Reads the index of a video that stands behind its media, and changes the places in it to those that its media then
 * have.
 * @returns the first bytes of the file as it is to be served; null where the index is in front already, the file has no
 *   such index, or it has places that are not known here
 * @see ISO/IEC 14496-12, 8.7.5 Chunk Offset Box
 */
export async function readEarlyIndex(source: ByteWindow): Promise<{ move: EarlyIndex; first: Uint8Array } | null> {
  const move = await findLateIndex(source)
  if (move === null) return null
  const { insertAt, indexAt, indexBytes } = move
  const first = new Uint8Array(insertAt + indexBytes)
  first.set(await source.read(0, insertAt))
  first.set(await source.read(indexAt, indexAt + indexBytes), insertAt)
  return shiftOffsets(viewOf(first), move) ? { move, first } : null
}

async function findLateIndex(source: ByteWindow): Promise<EarlyIndex | null> {
  let [start, insertAt, hasMedia, count] = [0, 0, false, 0]
  for await (const { name, end } of readBoxes(source, 0, source.sizeBytes)) {
    if (name === 'ftyp' && start === 0) insertAt = end
    if (name === 'moof' || ++count > MAX_BOXES) return null
    if (name === 'mdat') hasMedia = true
    if (name === 'moov') {
      const isUsable = hasMedia && end <= source.sizeBytes && end - start <= INDEX_MAX_BYTES && insertAt <= INSERT_MAX
      return isUsable ? { insertAt, indexAt: start, indexBytes: end - start } : null
    }
    start = end
  }
  return null
}

/** Boxes whose offsets cannot be moved: a compressed index, fragments, or other offsets than those of chunks. */
const UNKNOWN_PLACES: ReadonlySet<string> = new Set(['cmov', 'mvex', 'saio'])

/** @returns false where not every place could be changed */
function shiftOffsets(view: DataView, move: EarlyIndex): boolean {
  let tables = 0
  const whole = { from: move.insertAt + BOX_HEAD_BYTES, until: view.byteLength, entered: TRACK_BOXES }
  for (const { name, contentStart, end } of walkBoxes(view, whole)) {
    if (UNKNOWN_PLACES.has(name)) return false
    if (name !== 'stco' && name !== 'co64') continue
    if (!shiftTable(view, { contentStart, end, width: name === 'co64' ? 8 : 4 }, move)) return false
    tables += 1
  }
  return tables > 0
}

function shiftTable(
  view: DataView,
  { contentStart, end, width }: { contentStart: number; end: number; width: 4 | 8 },
  { insertAt, indexAt, indexBytes }: EarlyIndex,
): boolean {
  const entriesAt = contentStart + TABLE_HEAD_BYTES
  if (end > view.byteLength || entriesAt > end) return false
  const count = view.getUint32(contentStart + 4)
  if (entriesAt + count * width > end) return false
  for (let offset = entriesAt; offset < entriesAt + count * width; offset += width) {
    const place = width === 8 ? Number(view.getBigUint64(offset)) : view.getUint32(offset)
    if (place < insertAt || place >= indexAt) continue
    if (width === 8) view.setBigUint64(offset, BigInt(place + indexBytes))
    else if (place + indexBytes < 2 ** 32) view.setUint32(offset, place + indexBytes)
    else return false
  }
  return true
}

/** A span of the file itself, or of the bytes that are served before it. */
export interface ServedPart {
  of: 'first' | 'file'
  offset: number
  length: number
}

/** Finds where the bytes of a served range lie, in their order. */
export function partsOf(
  { insertAt, indexAt, indexBytes }: EarlyIndex,
  { offset, length }: { offset: number; length: number },
): ServedPart[] {
  const firstEnd = insertAt + indexBytes
  const places = [
    { of: 'first', from: 0, to: firstEnd, shift: 0 },
    { of: 'file', from: firstEnd, to: indexAt + indexBytes, shift: indexBytes },
    { of: 'file', from: indexAt + indexBytes, to: Number.POSITIVE_INFINITY, shift: 0 },
  ] as const
  return places.flatMap(({ of, from, to, shift }) => {
    const [start, end] = [Math.max(from, offset), Math.min(to, offset + length)]
    return start < end ? [{ of, offset: start - shift, length: end - start }] : []
  })
}
