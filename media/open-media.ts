import { Input, type InputFormat, Logging, LogLevel, MATROSKA, MP4, QTFF, Source, WEBM } from 'mediabunny'
import { type AudioIndex, findAudioIndex } from './audio-index.ts'
import { type ByteWindow, MediaFault, type Piece, SlabReader } from './byte-window.ts'

// It reports what is odd in a file to the console; what matters of that ends as the module's failure.
Logging.level = LogLevel.Silent

const FORMATS = [MP4, QTFF, MATROSKA, WEBM]
interface OpenMedia {
  input: Input
  audioIndex: Promise<AudioIndex | null> | null
}

/** Finding out about a file and cutting it happen on the same source, one after the other: its index is read once. */
const opened = new WeakMap<ByteWindow, OpenMedia>()

/** Opens the tracks of a video. */
export function openMedia(source: ByteWindow): Input {
  return findOpened(source).input
}

/** Opens what lies in memory whole, such as a chunk of the audio. */
export function openBytes(bytes: Uint8Array, format: InputFormat): Input {
  return new Input({ source: new MemorySource(bytes), formats: [format] })
}

/** The index of an MP4's track of audio; null where there is none to walk. */
export async function openAudioIndex(source: ByteWindow, trackId: number): Promise<AudioIndex | null> {
  const media = findOpened(source)
  media.audioIndex ??= findAudioIndex(source, trackId)
  return media.audioIndex
}

/** Releases what was read of a video; opening it again reads it from the start. */
export function closeMedia(source: ByteWindow): void {
  opened.get(source)?.input.dispose()
  opened.delete(source)
  source.release()
}

function findOpened(source: ByteWindow): OpenMedia {
  const media = opened.get(source) ?? {
    input: new Input({ source: new WindowSource(source), formats: FORMATS }),
    audioIndex: null,
  }
  opened.set(source, media)
  return media
}

/**
 * Runs a reading of media. What goes wrong in it is either access to the object, passed on as it is, or broken content.
 * @throws {MediaFault} `unreadable` for broken content
 */
export async function readingMedia<T>(source: ByteWindow, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MediaFault) throw error
    if (source.failure !== null) throw source.failure
    throw new MediaFault(
      'unreadable',
      'This file is not a video that Adapt can read. Export it again as MP4 or WebM.',
      { cause: error },
    )
  }
}

/**
 * mediabunny's own reading contract, whose members its types leave out, behind the guards. Its public `CustomSource`
 * puts a scheduler with several promises and two buffers around every single packet; this one answers at once where it
 * can.
 */
abstract class GuardedSource extends Source {
  readonly #sizeBytes: number
  readonly #progress = new ProgressGuard()
  readonly #index = new IndexGuard()
  readonly #fragments: FragmentGuard

  constructor(sizeBytes: number) {
    super()
    this.#sizeBytes = sizeBytes
    this.#fragments = new FragmentGuard(sizeBytes)
  }

  protected abstract readPiece(start: number, end: number): Piece | Promise<Piece>

  _getFileSize(): number {
    return this.#sizeBytes
  }

  _read(start: number, end: number): Piece | Promise<Piece> {
    this.#progress.note(start)
    const piece = this.readPiece(start, end)
    if (piece instanceof Promise) return piece.then((whole) => this.#checked(whole, start, end))
    return this.#checked(piece, start, end)
  }

  #checked(piece: Piece, start: number, end: number): Piece {
    this.#index.check(piece, start, end)
    this.#fragments.check(piece, start, end)
    return piece
  }

  _dispose(): void {}
}

class WindowSource extends GuardedSource {
  readonly #reader: SlabReader

  constructor(window: ByteWindow) {
    super(window.sizeBytes)
    this.#reader = new SlabReader(window)
  }

  protected readPiece(start: number, end: number): Piece | Promise<Piece> {
    return this.#reader.read(start, end)
  }
}

/** Bytes that are in memory already: every piece is the whole. */
class MemorySource extends GuardedSource {
  readonly #whole: Piece

  constructor(bytes: Uint8Array) {
    super(bytes.byteLength)
    this.#whole = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  }

  protected readPiece(): Piece {
    return this.#whole
  }
}

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
      if (this.#repeats > REPEATS_MAX) {
        throw new MediaFault('unreadable', 'This file is damaged, so Adapt cannot read it. Export it again as MP4.')
      }
      return
    }
    this.#repeats = 0
    this.#starts[this.#next] = start
    this.#next = (this.#next + 1) % REMEMBERED
  }
}

const MOOF = 0x6d6f6f66
const TRAF = 0x74726166
const TRUN = 0x7472756e
const BOX_HEAD_BYTES = 8
/** With a size of 64 bits. */
const LONG_HEAD_BYTES = 16
/** Version and flags, number of samples. */
const RUN_BYTES = 8
/** An hour of AAC in a single fragment; fragments are made so that they are small. */
const FRAGMENT_SAMPLES_MAX = 200_000

/**
 * Refuses fragments that only claim to hold very much: with usual lengths and sizes a run of samples is a number, and
 * mediabunny makes an object for each of them, in a loop that ends when the memory does.
 * @see ISO/IEC 14496-12, 8.8.8 Track Fragment Run Box
 */
class FragmentGuard {
  #samplesLeft: number

  /** No file holds more samples than bytes; each may be looked at twice, once for the length and once for the audio. */
  constructor(fileBytes: number) {
    this.#samplesLeft = 2 * fileBytes + FRAGMENT_SAMPLES_MAX
  }

  /** Looks at a piece before it is handed out. @throws {MediaFault} `unreadable` */
  check({ bytes, view, offset }: Piece, start: number, end: number): void {
    const at = start - offset
    const length = Math.min(end - offset, bytes.byteLength) - at
    if (length < BOX_HEAD_BYTES + RUN_BYTES || view.getUint32(at + 4) !== MOOF) return
    const samples = countSamples(view, at, at + length)
    this.#samplesLeft -= samples
    if (samples <= FRAGMENT_SAMPLES_MAX && this.#samplesLeft >= 0) return
    throw new MediaFault('unreadable', 'This file is damaged, so Adapt cannot read it. Export it again as MP4.')
  }
}

function countSamples(view: DataView, from: number, until: number): number {
  let count = 0
  for (let at = from; at + BOX_HEAD_BYTES + RUN_BYTES <= until; ) {
    const size = view.getUint32(at)
    const name = view.getUint32(at + 4)
    const isLong = size === 1
    const headBytes = isLong ? LONG_HEAD_BYTES : BOX_HEAD_BYTES
    if (name === TRUN && at + headBytes + RUN_BYTES <= until) count += view.getUint32(at + headBytes + 4)
    // Runs lie in track fragments, and these in the fragment: what is in there is walked through as if it lay beside.
    const isOuter = name === TRAF || name === MOOF
    at += isOuter ? headBytes : Math.max(isLong ? Number(view.getBigUint64(at + 8)) : size, headBytes)
  }
  return count
}

const CONTAINERS = new Set(['trak', 'mdia', 'minf', 'stbl'])
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
