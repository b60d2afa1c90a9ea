import { damaged, type Piece } from '../source/byte-window.ts'
import { FRAGMENT_SAMPLES_MAX, maxSamplesOf } from './fragment-runs.ts'
import { BOX_HEAD_BYTES, readHead, TABLE_HEAD_BYTES, TRACK_BOXES, walkBoxes } from './iso-boxes.ts'

/** Reads are compared with so many before them. */
const REMEMBERED = 4
/** A reader that gets on comes back to a place a few times at most. */
const REPEATS_MAX = 1_000

/**
 * Ends a reading that goes round in circles. mediabunny looks for the next element behind one whose size is broken, and
 * finds the same one again, for ever; no timer and no signal reaches a loop that never waits.
 */
export class ProgressGuard {
  readonly #starts: number[] = Array.from({ length: REMEMBERED }, () => -1)
  #next = 0
  #repeats = 0

  /** Notes where each read begins. @throws {MediaFault} `unreadable` when it is always the same few places */
  note(start: number): void {
    if (this.#starts.includes(start)) {
      this.#repeats += 1
      if (this.#repeats > REPEATS_MAX) throw damaged()
      return
    }
    this.#repeats = 0
    this.#starts[this.#next] = start
    this.#next = (this.#next + 1) % REMEMBERED
  }
}

const FRAGMENT_BOXES = new Set(['moof', 'traf'])
/** Number of samples, and their length, or by how much they are shown later. */
const TIME_RUN_BYTES = 8
/** First chunk, samples in each chunk, description. */
const CHUNK_RUN_BYTES = 12
/** So many cost nothing, whatever a table says beside what it holds. */
const HARMLESS_SAMPLES = 10_000

/**
 * Refuses fragments and indexes of an MP4 that claim more than they hold. With usual lengths and sizes a run of samples
 * in a fragment is a number, and mediabunny makes an object for each of them. In an index it goes through all samples
 * of a chunk for each one that it looks up, makes an object for each sample where they are reordered, and counts
 * through all that are said to be reordered. None of these loops ever waits.
 * @see ISO/IEC 14496-12, 8.8.8 Track Fragment Run Box, 8.6.1 Time to Sample Boxes, 8.7 Media Data Layout
 */
export class ClaimGuard {
  #movieStart = -1
  #samplesLeft: number

  constructor(fileBytes: number) {
    this.#samplesLeft = maxSamplesOf(fileBytes)
  }

  /** Looks at a piece before it is handed out. @throws {MediaFault} `unreadable` */
  check(piece: Piece, start: number, end: number): Piece {
    const { bytes, view, offset } = piece
    const [from, until] = [start - offset, Math.min(end - offset, bytes.byteLength)]
    if (start === this.#movieStart) checkMovie(view, from, until)
    if (until - from < BOX_HEAD_BYTES) return piece
    const { name, headBytes } = readHead(view, from)
    if (name === 'moov') this.#movieStart = start + headBytes
    if (name === 'moof') this.#checkFragment(view, from, until)
    return piece
  }

  #checkFragment(view: DataView, from: number, until: number): void {
    let samples = 0
    for (const { name, contentStart } of walkBoxes(view, { from, until, entered: FRAGMENT_BOXES })) {
      if (name === 'trun' && contentStart + TABLE_HEAD_BYTES <= until) samples += view.getUint32(contentStart + 4)
    }
    this.#samplesLeft -= samples
    if (samples > FRAGMENT_SAMPLES_MAX || this.#samplesLeft < 0) throw damaged()
  }
}

/** Counts of samples that the index of one track claims. */
interface Claims {
  /** Samples whose sizes are in the table; null when all have the same size. */
  sized: number | null
  samplesInTime: number
  samplesInChunk: number
  /** Samples that are shown later than they are decoded; null where no table says so. */
  samplesReordered: number | null
}

function checkMovie(view: DataView, from: number, until: number): void {
  let claims: Claims = noClaims()
  for (const { name, contentStart, end } of walkBoxes(view, { from, until, entered: TRACK_BOXES })) {
    if (contentStart + TABLE_HEAD_BYTES > until) break
    if (name === 'trak') {
      refuseLies(claims)
      claims = noClaims()
    }
    readClaim(claims, name, { view, contentStart, until: Math.min(end, until) })
  }
  refuseLies(claims)
}

function noClaims(): Claims {
  // No sample has a size until a table gives one.
  return { sized: 0, samplesInTime: 0, samplesInChunk: 0, samplesReordered: null }
}

interface Content {
  view: DataView
  contentStart: number
  until: number
}

function readClaim(claims: Claims, name: string, content: Content): void {
  if (name === 'stsz') claims.sized = countSized(content)
  else if (name === 'ctts') claims.samplesReordered = countRuns(content)
  else if (name === 'stts') claims.samplesInTime = countRuns(content)
  else if (name === 'stsc') {
    claims.samplesInChunk = joinField(content, { entryBytes: CHUNK_RUN_BYTES, fieldAt: 4 }, Math.max)
  }
}

/** The samples of a table of runs. */
function countRuns(content: Content): number {
  return joinField(content, { entryBytes: TIME_RUN_BYTES, fieldAt: 0 }, (sum, count) => sum + count)
}

/** A table of sizes begins with the one that all have, or 0 and their number. */
function countSized({ view, contentStart, until }: Content): number | null {
  const uniform = view.getUint32(contentStart + 4)
  return uniform === 0 ? Math.max(0, Math.floor((until - contentStart - TABLE_HEAD_BYTES) / 4) - 1) : null
}

/** Joins one field of each entry that is inside the box. */
function joinField(
  { view, contentStart, until }: Content,
  { entryBytes, fieldAt }: { entryBytes: number; fieldAt: number },
  join: (joined: number, value: number) => number,
): number {
  const count = Math.min(
    view.getUint32(contentStart + 4),
    Math.floor((until - contentStart - TABLE_HEAD_BYTES) / entryBytes),
  )
  const first = contentStart + TABLE_HEAD_BYTES + fieldAt
  let joined = 0
  for (let entry = 0; entry < count; entry++) joined = join(joined, view.getUint32(first + entry * entryBytes))
  return joined
}

function refuseLies({ sized, samplesInTime, samplesInChunk, samplesReordered }: Claims): void {
  const credible = Math.max(sized ?? 0, HARMLESS_SAMPLES)
  // Long chunks are harmless when all samples have one size, because mediabunny does not loop over them.
  const hasLongChunk = sized !== null && samplesInChunk > credible
  const isReorderedForLong = samplesReordered !== null && Math.max(samplesInTime, samplesReordered) > credible
  if (hasLongChunk || isReorderedForLong) throw damaged()
}
