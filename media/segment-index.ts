import type { ByteWindow } from './byte-window.ts'
import { readBoxes, readView } from './iso-boxes.ts'
import type { IsoMovie } from './iso-movie.ts'

/** Version and flags, the stream, its timescale, then two places whose size depends on the version. */
const LIST_HEAD_BYTES = 12

/**
 * Finds where the last fragment of the segment index ends; null when no index is in front of the fragments.
 * @see ISO/IEC 14496-12, 8.16.3 Segment Index Box
 */
export async function findListedEnd(source: ByteWindow, { end }: IsoMovie): Promise<number | null> {
  for await (const box of readBoxes(source, end, source.sizeBytes)) {
    if (box.name === 'moof' || box.name === 'mdat' || box.end > source.sizeBytes) return null
    if (box.name !== 'sidx') continue
    const view = await readView(source, box.contentStart, box.end)
    const placeBytes = view.getUint8(0) === 0 ? 4 : 8
    const firstAt = LIST_HEAD_BYTES + placeBytes
    const first = placeBytes === 4 ? view.getUint32(firstAt) : Number(view.getBigUint64(firstAt))
    const entriesAt = firstAt + placeBytes + 4
    let listedEnd = box.end + first
    for (
      let entriesLeft = view.getUint16(entriesAt - 2), offset = entriesAt;
      entriesLeft > 0 && offset + 12 <= view.byteLength;
      entriesLeft--, offset += 12
    ) {
      listedEnd += view.getUint32(offset) & 0x7fff_ffff
    }
    return listedEnd
  }
  return null
}
