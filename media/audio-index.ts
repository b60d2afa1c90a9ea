import type { ByteWindow } from './byte-window.ts'

/** A box of an MP4 or MOV file: where its content lies. */
interface Box {
  name: string
  contentStart: number
  end: number
}

const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16
/** Far more than any box holds of others; what claims more is broken. */
const MAX_CHILDREN = 10_000

/** The boxes in a section of a file, in their order. Ends at the first thing that is no box. */
export async function* readBoxes(source: ByteWindow, start: number, end: number): AsyncGenerator<Box, void> {
  for (let at = start, count = 0; at + HEAD_BYTES <= end && count < MAX_CHILDREN; count++) {
    const view = await readView(source, at, Math.min(at + LONG_HEAD_BYTES, end))
    const size = view.getUint32(0)
    const isLong = size === 1 && view.byteLength === LONG_HEAD_BYTES
    // 0: up to the end of what holds it. 1: the size follows in 64 bits.
    const length = size === 0 ? end - at : isLong ? Number(view.getBigUint64(8)) : size
    const headBytes = isLong ? LONG_HEAD_BYTES : HEAD_BYTES
    if (length < headBytes) return
    const name = String.fromCharCode(view.getUint8(4), view.getUint8(5), view.getUint8(6), view.getUint8(7))
    yield { name, contentStart: at + headBytes, end: at + length }
    at += length
  }
}

/** The first box at the end of a path of names; null when there is none. */
async function findBox(source: ByteWindow, within: Box, ...path: string[]): Promise<Box | null> {
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

/** The bytes of a section, to be read as numbers. */
export async function readView(source: ByteWindow, start: number, end: number): Promise<DataView> {
  const bytes = await source.read(start, end)
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Where a packet of audio lies in the file, and when it is played. */
export interface IndexedPacket {
  offset: number
  size: number
  startMs: number
  endMs: number
}

/** The chunks of audio track's index, as they are in the file. */
interface Tables {
  timescale: number
  /** What the edit list takes off every time, in units of the timescale. */
  shift: number
  durations: DataView
  sizes: DataView
  chunkRuns: DataView
  chunkOffsets: DataView
  hasLongOffsets: boolean
}

/** Eight channels of 32 bits. */
const LARGEST_SAMPLE_BYTES = 32
/** Version and flags, then the number of entries. */
const TABLE_HEAD_BYTES = 8

/**
 * A walk over the packets of an MP4's audio track, straight on its index as it lies in the file: nothing is made per
 * packet, and the tables of the image, which are the larger part of an index, are never read.
 * @see ISO/IEC 14496-12, 8.6 and 8.7
 */
export class AudioIndex {
  /** Number of packets. */
  readonly count: number
  readonly #tables: Tables
  #packet = 0
  #time = 0
  #timeRun = 0
  #leftInTimeRun = 0
  #chunk = 0
  #chunkRun = 0
  #leftInChunk = 0
  #offset = 0

  constructor(tables: Tables, fileBytes: number) {
    this.#tables = tables
    const claimed = tables.sizes.getUint32(TABLE_HEAD_BYTES)
    const uniform = tables.sizes.getUint32(4)
    // Packets of one size are only counted in there: no file holds more of them than fit into it.
    this.count = uniform === 0 ? claimed : Math.min(claimed, Math.floor(fileBytes / uniform))
    this.#rewind()
  }

  /** Whether each entry is one packet. PCM, and compressed audio in old MOV files, has one for every single sample. */
  get hasWholePackets(): boolean {
    const uniformSize = this.#tables.sizes.getUint32(4)
    return uniformSize === 0 || uniformSize > LARGEST_SAMPLE_BYTES
  }

  /** End of the last packet by the index. */
  get endMs(): number {
    const { durations, timescale, shift } = this.#tables
    let end = -shift
    for (let run = 0; run < countEntries(durations); run++) {
      end += durations.getUint32(timeRunAt(run)) * durations.getUint32(timeRunAt(run) + 4)
    }
    return (end * 1000) / timescale
  }

  /** Goes to the last packet that begins at or before the given time, or to the first. */
  seek(ms: number): void {
    this.#rewind()
    let last = -1
    for (let packet = this.next(); packet !== null && packet.startMs <= ms; packet = this.next()) last++
    this.#rewind()
    for (let i = 0; i < last; i++) this.next()
  }

  /** The packet that the walk stands at; moves on to the one after it. Null behind the last. */
  next(): IndexedPacket | null {
    const { timescale, shift, durations, sizes } = this.#tables
    if (this.#packet >= this.count) return null
    if (this.#leftInChunk === 0 && !this.#enterChunk()) return null
    while (this.#leftInTimeRun === 0) {
      if (this.#timeRun + 1 >= countEntries(durations)) return null
      this.#enterTimeRun(this.#timeRun + 1)
    }
    const length = durations.getUint32(timeRunAt(this.#timeRun) + 4)
    const uniform = sizes.getUint32(4)
    const size = uniform === 0 ? sizes.getUint32(12 + 4 * this.#packet) : uniform
    const start = this.#time - shift
    const packet = {
      offset: this.#offset,
      size,
      startMs: (start * 1000) / timescale,
      endMs: ((start + length) * 1000) / timescale,
    }
    this.#packet++
    this.#offset += size
    this.#time += length
    this.#leftInChunk--
    this.#leftInTimeRun--
    return packet
  }

  #rewind(): void {
    this.#packet = 0
    this.#time = 0
    this.#chunk = -1
    this.#chunkRun = -1
    this.#leftInChunk = 0
    this.#timeRun = -1
    this.#leftInTimeRun = 0
  }

  #enterTimeRun(run: number): void {
    this.#timeRun = run
    this.#leftInTimeRun = this.#tables.durations.getUint32(timeRunAt(run))
  }

  /** Enters the next chunk that holds packets. @returns false when the index names none */
  #enterChunk(): boolean {
    const { chunkRuns, chunkOffsets, hasLongOffsets } = this.#tables
    while (this.#leftInChunk === 0) {
      if (++this.#chunk >= countEntries(chunkOffsets)) return false
      const nextRun = this.#chunkRun + 1
      // Chunks are counted from 1 in there.
      if (nextRun < countEntries(chunkRuns) && chunkRuns.getUint32(chunkRunAt(nextRun)) <= this.#chunk + 1) {
        this.#chunkRun = nextRun
      }
      if (this.#chunkRun < 0) return false
      this.#leftInChunk = chunkRuns.getUint32(chunkRunAt(this.#chunkRun) + 4)
    }
    const at = TABLE_HEAD_BYTES + this.#chunk * (hasLongOffsets ? 8 : 4)
    this.#offset = hasLongOffsets ? Number(chunkOffsets.getBigUint64(at)) : chunkOffsets.getUint32(at)
    return true
  }
}

/**
 * Finds the index of audio track in an MP4 or MOV file. Null where the walk does not apply: other containers,
 * fragmented files, encrypted or reordered packets, several edits; mediabunny reads those.
 */
export async function findAudioIndex(source: ByteWindow, trackId: number): Promise<AudioIndex | null> {
  for await (const box of readBoxes(source, 0, source.sizeBytes)) {
    if (box.name === 'moof') return null
    if (box.name !== 'moov') continue
    if ((await findBox(source, box, 'mvex')) !== null) return null
    for await (const track of readBoxes(source, box.contentStart, box.end)) {
      if (track.name !== 'trak' || (await readTrackId(source, track)) !== trackId) continue
      const tables = await readTables(source, box, track)
      return tables === null ? null : new AudioIndex(tables, source.sizeBytes)
    }
  }
  return null
}

async function readTrackId(source: ByteWindow, track: Box): Promise<number | null> {
  const head = await findBox(source, track, 'tkhd')
  if (head === null || head.end - head.contentStart < 24) return null
  const view = await readView(source, head.contentStart, head.contentStart + 24)
  return view.getUint32(view.getUint8(0) === 1 ? 20 : 12)
}

async function readTables(source: ByteWindow, movie: Box, track: Box): Promise<Tables | null> {
  const stbl = await findBox(source, track, 'mdia', 'minf', 'stbl')
  const mediaHead = await findBox(source, track, 'mdia', 'mdhd')
  if (stbl === null || mediaHead === null) return null
  const tables = new Map<string, DataView>()
  for await (const { name, contentStart, end } of readBoxes(source, stbl.contentStart, stbl.end)) {
    if (TABLE_NAMES.has(name)) tables.set(name, await readView(source, contentStart, end))
    else if (name === 'ctts' || name === 'stz2') return null
    else if (name === 'stsd' && !(await isPlain(source, contentStart, end))) return null
  }
  const [durations, sizes, chunkRuns] = [tables.get('stts'), tables.get('stsz'), tables.get('stsc')]
  const [shortOffsets, longOffsets] = [tables.get('stco'), tables.get('co64')]
  const chunkOffsets = longOffsets ?? shortOffsets
  const timescale = await readTimescale(source, mediaHead)
  const shift = await readShift(source, { movie, track, timescale })
  if (!durations || !sizes || !chunkRuns || !chunkOffsets || timescale === 0 || shift === null) return null
  return { timescale, shift, durations, sizes, chunkRuns, chunkOffsets, hasLongOffsets: longOffsets !== undefined }
}

/** Whether a track's packets are neither encrypted nor of changing kinds. */
async function isPlain(source: ByteWindow, start: number, end: number): Promise<boolean> {
  const view = await readView(source, start, Math.min(end, start + 16))
  return countEntries(view) === 1 && view.getUint32(12) !== ENCRYPTED
}

/** `enca` */
const ENCRYPTED = 0x656e6361
const TABLE_NAMES: ReadonlySet<string> = new Set(['stts', 'stsz', 'stsc', 'stco', 'co64'])

/** The timescale of a track's or a movie's head, which agree in their first fields. */
async function readTimescale(source: ByteWindow, head: Box): Promise<number> {
  const view = await readView(source, head.contentStart, Math.min(head.end, head.contentStart + 24))
  return view.getUint32(view.getUint8(0) === 1 ? 20 : 12)
}

/**
 * What an edit list takes off the times of a track: the encoder's run-up before its first audio, less the time that the
 * track waits. Null for a list of several edits.
 */
async function readShift(
  source: ByteWindow,
  at: { movie: Box; track: Box; timescale: number },
): Promise<number | null> {
  const edits = await findBox(source, at.track, 'edts', 'elst')
  const movieHead = await findBox(source, at.movie, 'mvhd')
  if (edits === null || movieHead === null) return 0
  const view = await readView(source, edits.contentStart, edits.end)
  const isLong = view.getUint8(0) === 1
  let waited = 0
  let begins: number | null = null
  for (let i = 0, entry = TABLE_HEAD_BYTES; i < countEntries(view); i++, entry += isLong ? 20 : 12) {
    if (begins !== null) return null
    const time = isLong ? Number(view.getBigInt64(entry + 8)) : view.getInt32(entry + 4)
    if (time === -1) waited += isLong ? Number(view.getBigUint64(entry)) : view.getUint32(entry)
    else begins = time
  }
  return (begins ?? 0) - Math.round((waited / (await readTimescale(source, movieHead))) * at.timescale)
}

function countEntries(table: DataView): number {
  return table.getUint32(4)
}

function timeRunAt(run: number): number {
  return TABLE_HEAD_BYTES + 8 * run
}

function chunkRunAt(run: number): number {
  return TABLE_HEAD_BYTES + 12 * run
}
