import type { ByteWindow } from '../source/byte-window.ts'
import { readBoxes, readView } from './iso-boxes.ts'
import type { IsoMovie } from './iso-movie.ts'

/** Version and flags, the stream, its timescale; then come the earliest time and the first offset, in 32 or 64 bits. */
const LIST_HEAD_BYTES = 12
/** Two reserved bytes, then the number of entries. */
const COUNT_BYTES = 4
const ENTRY_BYTES = 12

/**
 * Finds where the last fragment of the segment index ends; null when no such index, or a broken one, is in front of the fragments.
 * @see ISO/IEC 14496-12, 8.16.3 Segment Index Box
 */
export async function findListedEnd(source: ByteWindow, { end }: Pick<IsoMovie, 'end'>): Promise<number | null> {
  for await (const box of readBoxes(source, end, source.sizeBytes)) {
    if (box.name === 'moof' || box.name === 'mdat' || box.end > source.sizeBytes) return null
    if (box.name !== 'sidx') continue
    return sumListed(await readView(source, box.contentStart, box.end), box.end)
  }
  return null
}

function sumListed(view: DataView, listEnd: number): number | null {
  const isLong = view.byteLength > 0 && view.getUint8(0) > 0
  const firstAt = LIST_HEAD_BYTES + (isLong ? 8 : 4)
  const entriesAt = firstAt + (isLong ? 8 : 4) + COUNT_BYTES
  if (entriesAt > view.byteLength) return null
  let end = listEnd + (isLong ? Number(view.getBigUint64(firstAt)) : view.getUint32(firstAt))
  for (
    let entriesLeft = view.getUint16(entriesAt - 2), offset = entriesAt;
    entriesLeft > 0 && offset + ENTRY_BYTES <= view.byteLength;
    entriesLeft--, offset += ENTRY_BYTES
  ) {
    end += view.getUint32(offset) & 0x7fff_ffff
  }
  return end
}
