import { type ByteWindow, viewOf } from './source/byte-window.ts'

/** EBML head and the segment's own head; writers pad neither beyond this. */
const EBML_HEAD_BYTES = 4096
const EBML_ID = 0x1a45dfa3
const SEGMENT_ID = 0x18538067
const CLUSTER_ID = 0x1f43b675

/**
 * Elements that stand side by side in a recording that was written without going back: those of a segment, and those of
 * a cluster whose size was left open. @see RFC 9559, 5.1
 */
const LIVE_ELEMENTS: ReadonlySet<number> = new Set([
  // SeekHead, Info, Tracks, Chapters, Cluster, Cues, Attachments, Tags.
  0x114d9b74,
  0x1549a966,
  0x1654ae6b,
  0x1043a770,
  CLUSTER_ID,
  0x1c53bb6b,
  0x1941a469,
  0x1254c367,
  // Timestamp, SilentTracks, Position, PrevSize, SimpleBlock, BlockGroup, EncryptedBlock.
  0xe7,
  0x5854,
  0xa7,
  0xab,
  0xa3,
  0xa0,
  0xaf,
  // CRC-32, Void.
  0xbf,
  0xec,
])
/** An element of an open size has its content in the elements behind it. */
const OPEN_ELEMENTS: ReadonlySet<number> = new Set([CLUSTER_ID])

/** What there is of a Matroska or WebM file. */
export interface MatroskaContent {
  /** The size of the file where there is nothing behind, or where content goes on behind what cannot be read. */
  end: number
  /** Bytes to be read in the place of the file's own: a recording that broke off says how much of its last cluster arrived. */
  patch: { at: number; bytes: Uint8Array } | null
}

/**
 * Finds where the content of a Matroska or WebM file ends. What stands behind it (a trailer of a camera, padding of a
 * file system) is no part of the video, and mediabunny stumbles over it, as over a cluster that ends behind the file. A
 * segment whose size was left open is gone through element by element from its last cluster on.
 */
export async function findMatroskaEnd(source: ByteWindow): Promise<MatroskaContent> {
  const segment = await readSegment(source)
  const whole = { end: source.sizeBytes, patch: null }
  if (segment === null) return whole
  const content =
    segment.end === null
      ? await findLiveEnd(source, await findLastCluster(source, segment.contentStart))
      : { end: segment.end, patch: null }
  if (content.patch !== null) return content
  return content.end >= source.sizeBytes || (await holdsCluster(source, content.end)) ? whole : content
}

/** Reads where the segment of a Matroska file ends by its head; 0 when its size is left open. */
export async function readSegmentEnd(source: ByteWindow): Promise<number> {
  return (await readSegment(source))?.end ?? 0
}

async function readSegment(source: ByteWindow): Promise<{ contentStart: number; end: number | null } | null> {
  const bytes = await source.read(0, Math.min(EBML_HEAD_BYTES, source.sizeBytes))
  if (bytes.byteLength < 4 || viewOf(bytes).getUint32(0) !== EBML_ID) return null
  const head = readSize(bytes, 4)
  if (head === null || head.size === null) return null
  const segmentAt = head.dataAt + head.size
  if (segmentAt + 4 > bytes.byteLength || viewOf(bytes).getUint32(segmentAt) !== SEGMENT_ID) return null
  const segment = readSize(bytes, segmentAt + 4)
  if (segment === null) return null
  return { contentStart: segment.dataAt, end: segment.size === null ? null : segment.dataAt + segment.size }
}

/** An identifier has four bytes at most, a size eight. */
const ELEMENT_HEAD_BYTES = 12

async function findLiveEnd(source: ByteWindow, from: number): Promise<MatroskaContent> {
  let at = from
  /** The cluster that breaks off: its size, and where its elements begin. */
  let broken: { sizeAt: number; dataAt: number } | null = null
  while (at < source.sizeBytes) {
    const read = source.read(at, Math.min(at + ELEMENT_HEAD_BYTES, source.sizeBytes))
    // Most heads lie in the buffer already: waiting for each would cost more than reading it.
    const element = readElement(read instanceof Promise ? await read : read)
    if (element === null) break
    const { id, idBytes, headBytes, lengthBytes } = element
    const isWhole = at + lengthBytes <= source.sizeBytes
    if (!isWhole && broken !== null) break
    if (!isWhole && id === CLUSTER_ID) broken = { sizeAt: at + idBytes, dataAt: at + headBytes }
    at += broken === null || isWhole ? lengthBytes : headBytes
  }
  if (broken === null) return { end: at, patch: null }
  const bytes = writeSize(at - broken.dataAt, broken.dataAt - broken.sizeAt)
  return { end: at, patch: { at: broken.sizeAt, bytes } }
}

/** What an element is, and how far it is to the next one; null for what is none. */
function readElement(
  bytes: Uint8Array,
): { id: number; idBytes: number; headBytes: number; lengthBytes: number } | null {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23
  if (idBytes > 4) return null
  const id = bytes.subarray(0, idBytes).reduce((number, byte) => number * 256 + byte, 0)
  const head = LIVE_ELEMENTS.has(id) ? readSize(bytes, idBytes) : null
  if (head === null || (head.size === null && !OPEN_ELEMENTS.has(id))) return null
  return { id, idBytes, headBytes: head.dataAt, lengthBytes: head.dataAt + (head.size ?? 0) }
}

const SCAN_BYTES = 64 * 1024
/** Browsers write a cluster every few seconds. */
const CLUSTER_SEARCH_BYTES = 16 * 1024 * 1024
/** CRC-32 and Timestamp: what a cluster begins with. */
const CLUSTER_BEGINNINGS: ReadonlySet<number> = new Set([0xbf, 0xe7])

/** Where the last cluster begins; where none is found near the end, where the elements of the segment begin. */
async function findLastCluster(source: ByteWindow, contentStart: number): Promise<number> {
  const searchEnd = Math.max(contentStart, source.sizeBytes - CLUSTER_SEARCH_BYTES)
  for (let until = source.sizeBytes; until > searchEnd; until -= SCAN_BYTES) {
    const from = Math.max(searchEnd, until - SCAN_BYTES)
    const bytes = await source.read(from, Math.min(until + 2 * ELEMENT_HEAD_BYTES, source.sizeBytes))
    for (let place = bytes.lastIndexOf(FIRST_OF_CLUSTER); place >= 0; ) {
      if (isCluster(bytes, place)) return from + place
      place = place === 0 ? -1 : bytes.lastIndexOf(FIRST_OF_CLUSTER, place - 1)
    }
  }
  return contentStart
}

/** Whether a cluster begins at a place, and not only bytes of a picture that look like its name. */
function isCluster(bytes: Uint8Array, place: number): boolean {
  if (place + 4 > bytes.byteLength || viewOf(bytes).getUint32(place) !== CLUSTER_ID) return false
  const head = readSize(bytes, place + 4)
  return head !== null && CLUSTER_BEGINNINGS.has(bytes[head.dataAt] ?? 0)
}

const FIRST_OF_CLUSTER = CLUSTER_ID >>> 24

async function holdsCluster(source: ByteWindow, from: number): Promise<boolean> {
  for (let at = from; at + 4 <= source.sizeBytes; at += SCAN_BYTES) {
    const bytes = await source.read(at, Math.min(at + SCAN_BYTES + 3, source.sizeBytes))
    const view = viewOf(bytes)
    for (
      let place = bytes.indexOf(CLUSTER_ID >>> 24);
      place >= 0;
      place = bytes.indexOf(CLUSTER_ID >>> 24, place + 1)
    ) {
      if (place + 4 <= bytes.byteLength && view.getUint32(place) === CLUSTER_ID) return true
    }
  }
  return false
}

/** Reads an EBML size; null when it is left open, as in live recordings. @see RFC 8794, 6 */
function readSize(bytes: Uint8Array, offset: number): { size: number | null; dataAt: number } | null {
  const length = Math.clz32(bytes[offset] ?? 0) - 23
  if (length > 8 || offset + length > bytes.byteLength) return null
  let size = (bytes[offset] ?? 0) & (0xff >> length)
  let isOpen = size === 0xff >> length
  for (let i = 1; i < length; i++) {
    const byte = bytes[offset + i] ?? 0
    size = size * 256 + byte
    isOpen = isOpen && byte === 0xff
  }
  return { size: isOpen ? null : size, dataAt: offset + length }
}

/** Writes an EBML size in so many bytes. @see RFC 8794, 4.1 */
function writeSize(size: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let left = size
  for (let i = length - 1; i >= 0; i--) {
    bytes[i] = left % 256
    left = Math.floor(left / 256)
  }
  bytes[0] = (bytes[0] ?? 0) | (0x80 >> (length - 1))
  return bytes
}
