import fc from 'fast-check'
import { joinBytes } from '../../audio-chunk.ts'

const KINDS = ['flip', 'cut', 'number', 'size', 'count', 'swap', 'nest', 'repeat', 'rename', 'drop', 'fill'] as const

/** What is done to a file, from a seed of its own. */
export interface Damage {
  kind: (typeof KINDS)[number]
  /** Which place, counted through all that there are. */
  at: number
  other: number
  value: number
}

/** Sizes and counts that an attacker would claim. */
const CLAIMS = [0, 1, 2, 7, 8, 9, 15, 16, 255, 65_535, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff]
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'mvex', 'moof', 'traf', 'dinf', 'udta']
/** Ids of EBML elements whose sizes lead to others: segment, tracks, entry, audio, cluster, block, cues, info, seek. */
const EBML_IDS = [
  [0x18, 0x53, 0x80, 0x67],
  [0x16, 0x54, 0xae, 0x6b],
  [0xae],
  [0xe1],
  [0x1f, 0x43, 0xb6, 0x75],
  [0xa3],
  [0x1c, 0x53, 0xbb, 0x6b],
  [0x15, 0x49, 0xa9, 0x66],
  [0x11, 0x4d, 0x9b, 0x74],
  [0x1a, 0x45, 0xdf, 0xa3],
]
/** Where an index or a head ends, mostly; behind it there is only content. */
const HEAD_BYTES = 6_000

export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    at: fc.nat(1_000_000),
    other: fc.nat(1_000_000),
    value: fc.oneof(fc.constantFrom(...CLAIMS), fc.nat(0xffff_ffff)),
  }),
  { minLength: 1, maxLength: 4 },
)

/** The file with all of it done. */
export function damage(file: Uint8Array, all: readonly Damage[]): Uint8Array<ArrayBuffer> {
  return all.reduce<Uint8Array<ArrayBuffer>>(
    (bytes, one) => (bytes.byteLength < 16 ? bytes : apply(bytes, one)),
    file.slice(),
  )
}

/** A box or an element: from its head on, and where its content begins. */
interface Piece {
  start: number
  contentStart: number
  end: number
}

function apply(bytes: Uint8Array<ArrayBuffer>, { kind, at, other, value }: Damage): Uint8Array<ArrayBuffer> {
  const pieces = listPieces(bytes)
  const piece = pieces[at % pieces.length]
  const twin = pieces[other % pieces.length]
  const place = placeIn(bytes, at)
  if (kind === 'flip') bytes[place] = (bytes[place] ?? 0) ^ (1 << (value % 8))
  if (kind === 'cut') return bytes.slice(0, other % 2 === 0 ? place : at % bytes.byteLength)
  if (kind === 'fill') bytes.fill(value & 255, place, place + (other % 64))
  if (kind === 'number' || piece === undefined || twin === undefined) return setUint32(bytes, place, value)
  if (kind === 'size') return setSize(bytes, piece, value)
  // Version and flags come first, then the number of entries, or in `stsz` the size of all of them.
  if (kind === 'count') return setUint32(bytes, piece.contentStart + 4 + 4 * (other % 2), value)
  if (kind === 'rename') return bytes.copyWithin(piece.start + 4, twin.start + 4, twin.start + 8)
  if (kind === 'drop') return joinBytes([bytes.subarray(0, piece.start), bytes.subarray(piece.end)])
  if (kind === 'repeat') return repeat(bytes, piece, (other % 40) + 1)
  if (kind === 'nest') return nest(bytes, piece, other)
  return kind === 'swap' ? swap(bytes, piece, twin) : bytes
}

/** Mostly in front or at the end, where indexes lie. */
function placeIn({ byteLength }: Uint8Array, at: number): number {
  const near = at % Math.min(HEAD_BYTES, byteLength)
  return at % 3 === 0 ? byteLength - 1 - near : near
}

function setUint32(bytes: Uint8Array<ArrayBuffer>, at: number, value: number): Uint8Array<ArrayBuffer> {
  if (at >= 0 && at + 4 <= bytes.byteLength) new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, value)
  return bytes
}

function setSize(bytes: Uint8Array<ArrayBuffer>, piece: Piece, value: number): Uint8Array<ArrayBuffer> {
  if (isBoxes(bytes)) return setUint32(bytes, piece.start, value)
  // A size of eight bytes, as large as there is.
  if (value % 2 === 0)
    bytes.set([0x01, ...new Uint8Array(7).fill(value & 255)], Math.min(piece.contentStart, bytes.byteLength - 8))
  else bytes[piece.contentStart] = value & 255
  return bytes
}

function swap(bytes: Uint8Array, one: Piece, two: Piece): Uint8Array<ArrayBuffer> {
  const [first, second] = one.start < two.start ? [one, two] : [two, one]
  if (first.end > second.start) return bytes.slice()
  return joinBytes([
    bytes.subarray(0, first.start),
    bytes.subarray(second.start, second.end),
    bytes.subarray(first.end, second.start),
    bytes.subarray(first.start, first.end),
    bytes.subarray(second.end),
  ])
}

function repeat(bytes: Uint8Array, { start, end }: Piece, times: number): Uint8Array<ArrayBuffer> {
  // The content itself is only larger then, not odder.
  const count = end - start > HEAD_BYTES * 2 ? 1 : times
  return joinBytes([
    bytes.subarray(0, end),
    ...Array.from({ length: count }, () => bytes.subarray(start, end)),
    bytes.subarray(end),
  ])
}

/** Puts it into boxes in boxes, each of which may hold others. */
function nest(bytes: Uint8Array, { start, end }: Piece, depth: number): Uint8Array<ArrayBuffer> {
  let inner: Uint8Array = bytes.subarray(start, end)
  for (let level = 0; level < depth % 60; level++) {
    const head = new Uint8Array(8)
    new DataView(head.buffer).setUint32(0, inner.byteLength + 8)
    head.set(new TextEncoder().encode(CONTAINERS[(depth + level) % CONTAINERS.length] ?? 'moov'), 4)
    inner = joinBytes([head, inner])
  }
  return joinBytes([bytes.subarray(0, start), inner, bytes.subarray(end)])
}

function isBoxes(bytes: Uint8Array): boolean {
  return bytes[0] !== 0x1a
}

function listPieces(bytes: Uint8Array): Piece[] {
  return isBoxes(bytes) ? listBoxes(bytes, 0, bytes.byteLength) : listElements(bytes)
}

function listBoxes(bytes: Uint8Array, from: number, until: number): Piece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const pieces: Piece[] = []
  for (let start = from; start + 8 <= until; ) {
    const size = view.getUint32(start)
    const end = start + size
    if (size < 8 || end > until) break
    pieces.push({ start, contentStart: start + 8, end })
    const name = new TextDecoder('latin1').decode(bytes.subarray(start + 4, start + 8))
    if (CONTAINERS.includes(name)) pieces.push(...listBoxes(bytes, start + 8, end))
    start = end
  }
  return pieces
}

/** Where the ids stand that lead to others; a few of them are content that looks so. */
function listElements(bytes: Uint8Array): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at + 12 < Math.min(bytes.byteLength, 4 * HEAD_BYTES); at++) {
    const id = EBML_IDS.find((each) => each.every((byte, i) => bytes[at + i] === byte))
    if (id !== undefined) pieces.push({ start: at, contentStart: at + id.length, end: at + id.length + 8 })
  }
  return pieces
}
