import { MediaFault } from './media-fault.ts'
import type { Piece } from './slab-reader.ts'

const CONTAINERS = new Set(['trak', 'mdia', 'minf', 'stbl'])
const BOX_HEAD_BYTES = 8
/** With a size of 64 bits. */
const LONG_HEAD_BYTES = 16
/** Version and flags, number of entries. */
const TABLE_HEAD_BYTES = 8
/** Number of samples, and their length, or by how much they are shown later. */
const TIME_RUN_BYTES = 8
/** First chunk, samples in each chunk, description. */
const CHUNK_RUN_BYTES = 12
/** So many cost nothing, whatever a table says beside what it holds. */
const HARMLESS_SAMPLES = 10_000

/** What the index of one track claims. */
interface Claims {
  /** Samples whose sizes are really there; null where all have the same one. */
  sized: number | null
  samplesInTime: number
  samplesInChunk: number
  /** Samples that are shown later than they are decoded; null where no table says so. */
  samplesReordered: number | null
}

/**
 * Refuses indexes that claim more than they hold: mediabunny goes through all samples of a chunk for each one that it
 * looks up, makes an object for each sample where they are reordered, and counts through all that are said to be
 * reordered, in loops that never wait.
 * @see ISO/IEC 14496-12, 8.6.1 Time to Sample Boxes, 8.7 Media Data Layout
 */
export class IndexGuard {
  #movieStart = -1

  /** Looks at a piece before it is handed out. @throws {MediaFault} `unreadable` */
  check({ bytes, view, offset }: Piece, start: number, end: number): void {
    const at = start - offset
    const until = Math.min(end - offset, bytes.byteLength)
    if (start === this.#movieStart) return checkMovie(view, at, until)
    if (until - at < BOX_HEAD_BYTES || nameAt(view, at) !== 'moov') return
    this.#movieStart = start + (view.getUint32(at) === 1 ? LONG_HEAD_BYTES : BOX_HEAD_BYTES)
  }
}

function checkMovie(view: DataView, from: number, until: number): void {
  let claims: Claims = noClaims()
  for (let at = from; at + BOX_HEAD_BYTES + TABLE_HEAD_BYTES <= until; ) {
    const size = view.getUint32(at)
    const isLong = size === 1
    const headBytes = isLong ? LONG_HEAD_BYTES : BOX_HEAD_BYTES
    if (at + headBytes + TABLE_HEAD_BYTES > until) break
    const length = Math.max(isLong ? Number(view.getBigUint64(at + BOX_HEAD_BYTES)) : size, headBytes)
    const name = nameAt(view, at)
    if (name === 'trak') {
      refuseLies(claims)
      claims = noClaims()
    }
    readClaim(claims, name, { view, at: at + headBytes, until: Math.min(at + length, until) })
    at += CONTAINERS.has(name) ? headBytes : length
  }
  refuseLies(claims)
}

function noClaims(): Claims {
  // Of samples none has a size until a table says so.
  return { sized: 0, samplesInTime: 0, samplesInChunk: 0, samplesReordered: null }
}

interface Content {
  view: DataView
  at: number
  until: number
}

function readClaim(claims: Claims, name: string, content: Content): void {
  if (name === 'stsz') claims.sized = countSized(content)
  else if (name === 'ctts') claims.samplesReordered = countRuns(content)
  else if (name === 'stts') claims.samplesInTime = countRuns(content)
  else if (name === 'stsc') {
    claims.samplesInChunk = fieldsOf(content, { entryBytes: CHUNK_RUN_BYTES, fieldAt: 4 }).reduce(
      (most, n) => Math.max(most, n),
      0,
    )
  }
}

/** The samples of a table of runs. */
function countRuns(content: Content): number {
  return fieldsOf(content, { entryBytes: TIME_RUN_BYTES, fieldAt: 0 }).reduce((sum, count) => sum + count, 0)
}

/** A table of sizes begins with the one that all have, or 0 and their number. */
function countSized({ view, at, until }: Content): number | null {
  const uniform = view.getUint32(at + 4)
  return uniform === 0 ? Math.max(0, Math.floor((until - at - TABLE_HEAD_BYTES) / 4) - 1) : null
}

/** One field of each entry that is really there. */
function fieldsOf({ view, at, until }: Content, { entryBytes, fieldAt }: { entryBytes: number; fieldAt: number }) {
  const count = Math.min(view.getUint32(at + 4), Math.floor((until - at - TABLE_HEAD_BYTES) / entryBytes))
  const first = at + TABLE_HEAD_BYTES + fieldAt
  return Array.from({ length: Math.max(0, count) }, (_, entry) => view.getUint32(first + entry * entryBytes))
}

function refuseLies({ sized, samplesInTime, samplesInChunk, samplesReordered }: Claims): void {
  const credible = Math.max(sized ?? 0, HARMLESS_SAMPLES)
  // Chunks of samples of one size are not gone through.
  const hasLongChunk = sized !== null && samplesInChunk > credible
  const isReorderedForLong = samplesReordered !== null && Math.max(samplesInTime, samplesReordered) > credible
  if (!hasLongChunk && !isReorderedForLong) return
  throw new MediaFault('unreadable', 'This file is damaged, so Adapt cannot read it. Export it again as MP4.')
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at + 4), view.getUint8(at + 5), view.getUint8(at + 6), view.getUint8(at + 7))
}
