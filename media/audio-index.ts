import type { ByteWindow } from './byte-window.ts'
import { type Box, findBox, readBoxes, readHeadNumber, readView } from './iso-boxes.ts'

/** Where a packet of audio lies in the file, and when it is played. */
export interface IndexedPacket {
  offset: number
  size: number
  startMs: number
  lengthMs: number
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
 * The packets of an MP4's audio track, straight from its index as it lies in the file. The tables of the image, which are
 * the larger part of an index, are never read.
 * @see ISO/IEC 14496-12, 8.6 and 8.7
 */
export class AudioIndex {
  /** Number of packets. */
  readonly count: number
  readonly #tables: Tables

  constructor(tables: Tables, fileBytes: number) {
    this.#tables = tables
    const claimed = tables.sizes.getUint32(TABLE_HEAD_BYTES)
    const uniform = tables.sizes.getUint32(4)
    // Packets of one size are only counted in there: no file holds more of them than fit into it.
    this.count = uniform === 0 ? claimed : Math.min(claimed, Math.floor(fileBytes / uniform))
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

  /** The packets in their order, from the last one on that begins at or before the given time, or from the first. */
  *packets(fromMs: number): Generator<IndexedPacket, void> {
    const { timescale, shift, durations, sizes, chunkRuns, chunkOffsets, hasLongOffsets } = this.#tables
    const uniform = sizes.getUint32(4)
    let [packet, chunkRun, timeRun, leftInTimeRun, time] = [0, -1, -1, 0, -shift]
    for (let chunk = 0; chunk < countEntries(chunkOffsets); chunk++) {
      const hasNextRun = chunkRun + 1 < countEntries(chunkRuns)
      // Chunks are counted from 1 in there.
      if (hasNextRun && chunkRuns.getUint32(chunkRunAt(chunkRun + 1)) <= chunk + 1) chunkRun++
      if (chunkRun < 0) return
      const at = TABLE_HEAD_BYTES + chunk * (hasLongOffsets ? 8 : 4)
      let offset = hasLongOffsets ? Number(chunkOffsets.getBigUint64(at)) : chunkOffsets.getUint32(at)
      for (let left = chunkRuns.getUint32(chunkRunAt(chunkRun) + 4); left > 0; left--, packet++) {
        if (packet >= this.count) return
        while (leftInTimeRun === 0) {
          if (++timeRun >= countEntries(durations)) return
          leftInTimeRun = durations.getUint32(timeRunAt(timeRun))
        }
        const size = uniform === 0 ? sizes.getUint32(12 + 4 * packet) : uniform
        const startMs = (time * 1000) / timescale
        time += durations.getUint32(timeRunAt(timeRun) + 4)
        const endMs = (time * 1000) / timescale
        // The next one begins where it ends.
        if (endMs > fromMs || packet + 1 === this.count) yield { offset, size, startMs, lengthMs: endMs - startMs }
        offset += size
        leftInTimeRun--
      }
    }
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
      if (track.name !== 'trak' || (await readHeadNumber(source, track, 'tkhd')) !== trackId) continue
      const tables = await readTables(source, box, track)
      return tables === null ? null : new AudioIndex(tables, source.sizeBytes)
    }
  }
  return null
}

async function readTables(source: ByteWindow, movie: Box, track: Box): Promise<Tables | null> {
  const stbl = await findBox(source, track, 'mdia', 'minf', 'stbl')
  const timescale = await readHeadNumber(source, track, 'mdia', 'mdhd')
  if (stbl === null || timescale === null || timescale === 0) return null
  const tables = new Map<string, DataView>()
  for await (const { name, contentStart, end } of readBoxes(source, stbl.contentStart, stbl.end)) {
    if (TABLE_NAMES.has(name)) tables.set(name, await readView(source, contentStart, end))
    else if (name === 'ctts' || name === 'stz2') return null
    else if (name === 'stsd' && !(await isPlain(source, contentStart, end))) return null
  }
  const [durations, sizes, chunkRuns] = [tables.get('stts'), tables.get('stsz'), tables.get('stsc')]
  const longOffsets = tables.get('co64')
  const chunkOffsets = longOffsets ?? tables.get('stco')
  const shift = await readShift(source, { movie, track, timescale })
  if (!durations || !sizes || !chunkRuns || !chunkOffsets || shift === null) return null
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

/**
 * What an edit list takes off the times of a track: the encoder's run-up before its first audio, less the time that the
 * track waits. Null for a list of several edits.
 */
async function readShift(
  source: ByteWindow,
  at: { movie: Box; track: Box; timescale: number },
): Promise<number | null> {
  const edits = await findBox(source, at.track, 'edts', 'elst')
  const movieScale = await readHeadNumber(source, at.movie, 'mvhd')
  if (edits === null || movieScale === null) return 0
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
  return (begins ?? 0) - Math.round((waited / movieScale) * at.timescale)
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

/** A packet as its container gives it. */
export interface FedPacket {
  startMs: number
  /** 0 where the container does not say, as for the last packet of a WebM cluster. */
  lengthMs: number
  /** To be used before the next packet is asked for: they lie in a buffer that moves on. */
  bytes: Uint8Array
}

type Answer = FedPacket | null | Promise<FedPacket | null>

/** The packets of a track of audio in their order; null behind the last. What can be answered at once is. */
export interface PacketFeed {
  /** The packet that is played at a time, or the first one. */
  seek(ms: number): Answer
  /** The packet after the one given last. */
  next(): Answer
}

/** Walks an MP4's own index. */
export class IndexFeed implements PacketFeed {
  readonly #source: ByteWindow
  readonly #index: AudioIndex
  #packets: Generator<IndexedPacket, void>

  constructor(source: ByteWindow, index: AudioIndex) {
    this.#source = source
    this.#index = index
    this.#packets = index.packets(0)
  }

  seek(ms: number): Answer {
    this.#packets = this.#index.packets(ms)
    return this.next()
  }

  next(): Answer {
    const packet = this.#packets.next().value
    if (packet === undefined) return null
    const { offset, size, startMs, lengthMs } = packet
    // A file that is cut short: its index lists packets beyond its bytes.
    if (offset + size > this.#source.sizeBytes) return null
    const held = this.#source.viewHeld(offset, offset + size)
    if (held !== null) return { startMs, lengthMs, bytes: held }
    return Promise.resolve(this.#source.read(offset, offset + size)).then((bytes) => ({ startMs, lengthMs, bytes }))
  }
}
