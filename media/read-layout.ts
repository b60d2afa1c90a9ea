import { readBoxes, readView } from './box-reader.ts'
import type { ByteWindow } from './byte-window.ts'
import { isIsoMedia, type VideoContainer } from './sniff-container.ts'

/** Complete files have three or four boxes before the media; a fragmented one has thousands, each complete in itself. */
const MAX_BOXES = 12
/** EBML head and the segment's own head; writers pad neither beyond this. */
const EBML_HEAD_BYTES = 4096
const SEGMENT_ID = 0x18538067
const MVHD = 0x6d766864
/** Up to the end of the length, in the larger of its two layouts. */
const MOVIE_HEAD_BYTES = 40

/** What the outermost elements of a file say about it. */
export interface MediaLayout {
  /**
   * Bytes that the file lacks by its own account: its outermost element reaches past its end. An upload or a recording
   * that broke off plays without any error up to that place, and its index still promises the rest.
   */
  missingBytes: number
  /** Length of the movie by an MP4's head; null in other files, and where it is left open (fragmented ones). */
  movieMs: number | null
}

/** Reads the outermost elements of a file: a few range reads however large it is. */
export async function readLayout(source: ByteWindow, container: VideoContainer): Promise<MediaLayout> {
  if (isIsoMedia(container)) return readOuterBoxes(source)
  return { missingBytes: lacking(source, await findSegmentEnd(source)), movieMs: null }
}

async function readOuterBoxes(source: ByteWindow): Promise<MediaLayout> {
  let end = 0
  let movieMs: number | null = null
  let count = 0
  for await (const box of readBoxes(source, 0, source.sizeBytes)) {
    if (box.name === 'moov') movieMs = await readMovieMs(source, box.contentStart)
    end = box.end
    if (++count === MAX_BOXES) break
  }
  return { missingBytes: lacking(source, end), movieMs }
}

/** @see ISO/IEC 14496-12, 8.2.2 Movie Header Box; it comes first in its parent. */
async function readMovieMs(source: ByteWindow, at: number): Promise<number | null> {
  if (at + MOVIE_HEAD_BYTES > source.sizeBytes) return null
  const view = await readView(source, at, at + MOVIE_HEAD_BYTES)
  if (view.getUint32(4) !== MVHD) return null
  const isLong = view.getUint8(8) === 1
  const timescale = view.getUint32(isLong ? 28 : 20)
  const duration = isLong ? Number(view.getBigUint64(32)) : view.getUint32(24)
  const isOpen = duration === 0 || timescale === 0 || duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1)
  return isOpen ? null : Math.round((duration / timescale) * 1000)
}

function lacking(source: ByteWindow, end: number): number {
  return Math.max(0, end - source.sizeBytes)
}

async function findSegmentEnd(source: ByteWindow): Promise<number> {
  const bytes = await source.read(0, Math.min(EBML_HEAD_BYTES, source.sizeBytes))
  const head = readSize(bytes, 4)
  if (head === null || head.size === null) return 0
  const segmentAt = head.dataAt + head.size
  if (segmentAt + 4 > bytes.byteLength || viewOf(bytes).getUint32(segmentAt) !== SEGMENT_ID) return 0
  const segment = readSize(bytes, segmentAt + 4)
  return segment === null || segment.size === null ? 0 : segment.dataAt + segment.size
}

/** An EBML size; its own size is null when it is left open, as live recordings do. @see RFC 8794, 6 */
function readSize(bytes: Uint8Array, at: number): { size: number | null; dataAt: number } | null {
  const length = Math.clz32(bytes[at] ?? 0) - 23
  if (length > 8 || at + length > bytes.byteLength) return null
  let size = (bytes[at] ?? 0) & (0xff >> length)
  let isOpen = size === 0xff >> length
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0
    size = size * 256 + byte
    isOpen = isOpen && byte === 0xff
  }
  return { size: isOpen ? null : size, dataAt: at + length }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
