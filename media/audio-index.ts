import type { ByteWindow } from './byte-window.ts'

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

/** The chunks of audio track's index, as they are in the file. */
interface Tables {
  timescale: number
  edits: readonly Edit[]
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
    const { edits } = this.#tables
    for (const [index, edit] of edits.entries()) yield* this.#packetsOf(edit, fromMs, index + 1 === edits.length)
  }

  /** @param isLast whether its last packet is given even if it ends before the time */
  *#packetsOf({ playedAt, mediaAt, length }: Edit, fromMs: number, isLast: boolean): Generator<IndexedPacket, void> {
    const { timescale, durations, sizes, chunkRuns, chunkOffsets, hasLongOffsets } = this.#tables
    const uniform = sizes.getUint32(4)
    const endTick = playedAt + length
    let [packet, chunkRun, timeRun, leftInTimeRun, time] = [0, -1, -1, 0, playedAt - mediaAt]
    for (let chunk = 0; chunk < countEntries(chunkOffsets); chunk++) {
      const hasNextRun = chunkRun + 1 < countEntries(chunkRuns)
      // The table counts chunks from 1.
      if (hasNextRun && chunkRuns.getUint32(chunkRunAt(chunkRun + 1)) <= chunk + 1) chunkRun++
      if (chunkRun < 0) return
      const entryOffset = TABLE_HEAD_BYTES + chunk * (hasLongOffsets ? 8 : 4)
      let offset = hasLongOffsets ? Number(chunkOffsets.getBigUint64(entryOffset)) : chunkOffsets.getUint32(entryOffset)
      for (let packetsLeft = chunkRuns.getUint32(chunkRunAt(chunkRun) + 4); packetsLeft > 0; packetsLeft--, packet++) {
        if (packet >= this.count) return
        while (leftInTimeRun === 0) {
          if (++timeRun >= countEntries(durations)) return
          leftInTimeRun = durations.getUint32(timeRunAt(timeRun))
        }
        const size = uniform === 0 ? sizes.getUint32(12 + 4 * packet) : uniform
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

  /** Computes the share of packets whose bytes are beyond the end of the file, 0 to 1. */
  measureLost(fileBytes: number): number {
    const { sizes, chunkRuns, chunkOffsets, hasLongOffsets } = this.#tables
    const uniform = sizes.getUint32(4)
    let [packet, chunkRun, lost] = [0, -1, 0]
    for (let chunk = 0; chunk < countEntries(chunkOffsets) && packet < this.count; chunk++) {
      const hasNextRun = chunkRun + 1 < countEntries(chunkRuns)
      if (hasNextRun && chunkRuns.getUint32(chunkRunAt(chunkRun + 1)) <= chunk + 1) chunkRun++
      if (chunkRun < 0) return 0
      const entryOffset = TABLE_HEAD_BYTES + chunk * (hasLongOffsets ? 8 : 4)
      let end = hasLongOffsets ? Number(chunkOffsets.getBigUint64(entryOffset)) : chunkOffsets.getUint32(entryOffset)
      const until = Math.min(this.count, packet + chunkRuns.getUint32(chunkRunAt(chunkRun) + 4))
      if (uniform > 0) {
        // PCM has too many samples to check each one.
        const there = Math.max(0, Math.floor((fileBytes - end) / uniform))
        lost += Math.max(0, until - packet - there)
        packet = until
      }
      for (; packet < until; packet++) {
        end += sizes.getUint32(12 + 4 * packet)
        if (end > fileBytes) lost += 1
      }
    }
    return this.count === 0 ? 0 : lost / this.count
  }
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
