import { type ByteWindow, damaged } from '../source/byte-window.ts'
import { TABLE_HEAD_BYTES } from './iso-boxes.ts'

/** Where a packet of audio lies in the file, and when it is played. */
export interface IndexedPacket {
  offset: number
  size: number
  startMs: number
  lengthMs: number
}

/** A span of a track's media, and where it is played. In units of the track's timescale. */
export interface Edit {
  playedAt: number
  mediaAt: number
  /** Infinity: to the end of the media. */
  length: number
}

/** The tables of an audio track's index, as they are in the file. A chunk is what MP4 calls one: samples in a row. */
interface Tables {
  timescale: number
  edits: readonly Edit[]
  durations: DataView
  sizes: DataView
  chunkRuns: DataView
  chunkOffsets: DataView
  hasLongOffsets: boolean
}

/** Packets that lie one after the other, from the first to before `until`. */
interface Chunk {
  offset: number
  first: number
  until: number
}

/** A packet may reach this far beyond the end of its edit. */
const LONGEST_PACKET_MS = 1_000
/** Each edit walks the runs of both tables; a thousand edits of ten hours in chunks of a second need 36 million. */
const STEPS_MAX = 50_000_000
/** Eight channels of 32 bits. */
const LARGEST_SAMPLE_BYTES = 32

/**
 * The packets of an MP4's audio track, straight from its index as it lies in the file. The tables of the image, which are
 * the larger part of an index, are never read.
 * @see ISO/IEC 14496-12, 8.6 and 8.7
 */
export class AudioIndex {
  /** Number of packets. */
  readonly count: number
  readonly #tables: Tables

  /** @throws {MediaFault} `unreadable` for more edits of more runs than can be walked */
  constructor(tables: Tables, fileBytes: number) {
    const runs = countEntries(tables.durations) + countEntries(tables.chunkRuns)
    if (tables.edits.length > 1 && tables.edits.length * runs > STEPS_MAX) throw damaged()
    this.#tables = tables
    const claimed = tables.sizes.getUint32(TABLE_HEAD_BYTES)
    const uniform = tables.sizes.getUint32(4)
    // Packets of one size are stored as a count only, so the count is limited to what fits into the file.
    this.count = uniform === 0 ? claimed : Math.min(claimed, Math.floor(fileBytes / uniform))
  }

  /** Whether each entry is one packet. PCM, and compressed audio in old MOV files, has one for every single sample. */
  get hasWholePackets(): boolean {
    const uniformSize = this.#tables.sizes.getUint32(4)
    return uniformSize === 0 || uniformSize > LARGEST_SAMPLE_BYTES
  }

  /**
   * Lists the packets in playing order, starting with the last one that begins at or before the given time, or with the
   * first.
   */
  packets(fromMs: number): Generator<IndexedPacket, void> {
    const [first, second] = this.#tables.edits
    return first !== undefined && second === undefined ? this.#packetsOf(first, fromMs, true) : this.#allPackets(fromMs)
  }

  *#allPackets(fromMs: number): Generator<IndexedPacket, void> {
    const { edits, timescale } = this.#tables
    const last = edits.length - 1
    for (const [at, edit] of edits.entries()) {
      const endMs = ((edit.playedAt + edit.length) * 1000) / timescale
      if (at === last || endMs + LONGEST_PACKET_MS > fromMs) yield* this.#packetsOf(edit, fromMs, at === last)
    }
  }

  /** @param isLast whether its last packet is given even if it ends before the time */
  *#packetsOf({ playedAt, mediaAt, length }: Edit, fromMs: number, isLast: boolean): Generator<IndexedPacket, void> {
    const { timescale, durations, sizes } = this.#tables
    const uniform = sizes.getUint32(4)
    const endTick = playedAt + length
    // One less, because milliseconds and ticks are rounded to each other.
    const fromTick = Math.max(playedAt, Math.floor((fromMs * timescale) / 1000)) - 1
    const shift = playedAt - mediaAt
    let { packet, timeRun, leftInTimeRun, time } = this.#locate(Math.min(fromTick, endTick - 1) - shift)
    time += shift
    for (const chunk of this.#chunks(packet)) {
      let offset = chunk.offset + this.#measureBytes(chunk.first, packet)
      for (; packet < chunk.until; packet++) {
        while (leftInTimeRun === 0) {
          if (++timeRun >= countEntries(durations)) return
          leftInTimeRun = durations.getUint32(timeRunAt(timeRun))
        }
        const size = uniform === 0 ? sizes.getUint32(sizeAt(packet)) : uniform
        const begin = time
        time += durations.getUint32(timeRunAt(timeRun) + 4)
        if (begin >= endTick) return
        const isBefore = begin < playedAt && time <= playedAt
        const startMs = (begin * 1000) / timescale
        const endMs = (time * 1000) / timescale
        // The next one begins where it ends.
        const isFinal = isLast && (packet + 1 === this.count || time >= endTick)
        if ((endMs > fromMs && !isBefore) || isFinal) yield { offset, size, startMs, lengthMs: endMs - startMs }
        offset += size
        leftInTimeRun--
      }
    }
  }

  /** The packet that ends after a time of the media, or the last one; with the run of equal durations that it is in. */
  #locate(tick: number): { packet: number; timeRun: number; leftInTimeRun: number; time: number } {
    const { durations } = this.#tables
    let [packet, time] = [0, 0]
    let last = { packet, timeRun: -1, leftInTimeRun: 0, time }
    for (let timeRun = 0; timeRun < countEntries(durations) && packet < this.count; timeRun++) {
      const listed = durations.getUint32(timeRunAt(timeRun))
      const ticks = durations.getUint32(timeRunAt(timeRun) + 4)
      const inRun = Math.min(listed, this.count - packet)
      if (inRun === 0) continue
      const isHere = time + inRun * ticks > tick
      const before = isHere ? Math.max(0, Math.floor((tick - time) / ticks)) : inRun - 1
      last = { packet: packet + before, timeRun, leftInTimeRun: listed - before, time: time + before * ticks }
      if (isHere) break
      packet += inRun
      time += inRun * ticks
    }
    return last
  }

  /** The chunks of the file in their order, beginning with the one that holds a packet. */
  *#chunks(fromPacket: number): Generator<Chunk, void> {
    const { chunkRuns, chunkOffsets, hasLongOffsets } = this.#tables
    const [runCount, chunkCount] = [countEntries(chunkRuns), countEntries(chunkOffsets)]
    let [chunk, first] = [0, 0]
    for (let run = 0; run < runCount && chunk < chunkCount && first < this.count; run++) {
      // The table counts chunks from 1.
      if (chunkRuns.getUint32(chunkRunAt(run)) > chunk + 1) return
      const end = run + 1 < runCount ? Math.min(chunkCount, chunkRuns.getUint32(chunkRunAt(run + 1)) - 1) : chunkCount
      const perChunk = chunkRuns.getUint32(chunkRunAt(run) + 4)
      const passed = Math.max(0, Math.min(end - chunk, Math.floor((fromPacket - first) / perChunk)))
      if (passed > 0) [chunk, first] = [chunk + passed, first + passed * perChunk]
      for (; chunk < end && first < this.count; chunk++, first += perChunk) {
        const entryAt = TABLE_HEAD_BYTES + chunk * (hasLongOffsets ? 8 : 4)
        const offset = hasLongOffsets ? Number(chunkOffsets.getBigUint64(entryAt)) : chunkOffsets.getUint32(entryAt)
        yield { offset, first, until: Math.min(this.count, first + perChunk) }
      }
    }
  }

  #measureBytes(from: number, until: number): number {
    const { sizes } = this.#tables
    const uniform = sizes.getUint32(4)
    if (uniform > 0) return Math.max(0, until - from) * uniform
    let bytes = 0
    for (let packet = from; packet < until; packet++) bytes += sizes.getUint32(sizeAt(packet))
    return bytes
  }

  /** Computes the share of packets whose bytes are beyond the end of the file, 0 to 1. */
  measureLost(fileBytes: number): number {
    const { sizes } = this.#tables
    const uniform = sizes.getUint32(4)
    let lost = 0
    for (const { offset, first, until } of this.#chunks(0)) {
      if (uniform > 0) {
        // PCM has too many samples to check each one.
        const there = Math.max(0, Math.floor((fileBytes - offset) / uniform))
        lost += Math.max(0, until - first - there)
        continue
      }
      let end = offset
      for (let packet = first; packet < until; packet++) {
        end += sizes.getUint32(sizeAt(packet))
        if (end > fileBytes) lost += 1
      }
    }
    return this.count === 0 ? 0 : lost / this.count
  }
}

function countEntries(table: DataView): number {
  return table.getUint32(4)
}

function sizeAt(packet: number): number {
  return TABLE_HEAD_BYTES + 4 + 4 * packet
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
  /** Valid until the next packet is read, because the buffer is reused. */
  bytes: Uint8Array
}

export type Answer = FedPacket | null | Promise<FedPacket | null>

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
    return packet === undefined ? null : readPacket(this.#source, packet)
  }
}

/** Brings the bytes of a packet; null where they lie beyond the end of a file that is cut short. */
export function readPacket(source: ByteWindow, { offset, size, startMs, lengthMs }: IndexedPacket): Answer {
  if (offset + size > source.sizeBytes) return null
  const held = source.viewHeld(offset, offset + size)
  if (held !== null) return { startMs, lengthMs, bytes: held }
  return Promise.resolve(source.read(offset, offset + size)).then((bytes) => ({ startMs, lengthMs, bytes }))
}
