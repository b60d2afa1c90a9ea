import { type AudioKind, type AudioPacket, type WrittenAudio } from './audio-chunk.ts'
import type { FedPacket, PacketFeed } from './iso/audio-index.ts'
import { checkPlace, TOLERATED_MS, wrongTimes } from './measure-length.ts'
import { takeOneChannel } from './one-channel.ts'
import { measurePacketMs } from './packet-duration.ts'
import { PacketSilence } from './packet-silence.ts'
import { decodePcm, PCM_ZERO } from './pcm.ts'
import { writeAdts, writeChunk } from './write-chunk.ts'

/**
 * Unless its bytes say so, no packet lasts longer (2,048 samples at 8 kHz): a container that does counts the pause after
 * it in.
 */
const MAX_PACKET_MS = 260
/** Few packets last longer; of these the bytes are asked, because a container may count the pause after them in. */
const USUAL_PACKET_MAX_MS = 65
/** Three quarters of a minute of audio at 192 kbit/s; grows where there is more. */
const FIRST_BUFFER_BYTES = 1024 * 1024
/** For a file of a single packet without a length; any other file has one. */
const USUAL_PACKET_MS = 20
/** With this much missing inside of a chunk, its decoded audio would run ahead of the video: it must not be joined. */
const GAP_MS = 500
/**
 * Where holes are a gap only together, it ends with this much audio without a hole: calls send a packet for every 400 ms
 * of silence, none of which is worth a chunk.
 */
const RESUMED_MS = 1_000

/** Where silence begins or ends, packets are neither for some milliseconds. */
const SHORTEST_WORD_MS = 100
/** The longest packet of AAC. Of as long a word, two packets differ from silence; one may name the encoder. */
const LONG_PACKET_MS = 128

const WHOLE = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY, overlapMs: 0 }

interface KeptPacket extends Omit<AudioPacket, 'bytes'> {
  /** Where its bytes begin in the shared buffer. */
  offset: number
  size: number
}

/**
 * The packets of a track from some time on, read as far as asked for and kept until dropped. Their bytes share one
 * buffer that is used again and again: a buffer for each would be garbage faster than it is collected.
 */
export class PacketQueue {
  readonly packets: KeptPacket[] = []
  /** Whether the last packet of the track has been read. */
  ended = false
  /** End of the last packet read. */
  endMs = 0

  readonly #kind: AudioKind
  readonly #feed: PacketFeed
  readonly #zeroMs: number
  #bytes = new Uint8Array(FIRST_BUFFER_BYTES)
  #used = 0
  #lastMs = Number.NEGATIVE_INFINITY
  #usualMs: number | null = null
  /** A packet far ahead of the one before it, until the next one shows that time goes on there. */
  #ahead: FedPacket | null = null
  #lostMs = 0

  /** @param zeroMs where time 0 of its packets lies in the times of the feed */
  constructor(kind: AudioKind, feed: PacketFeed, zeroMs = 0) {
    this.#kind = kind
    this.#feed = feed
    this.#zeroMs = zeroMs
  }

  /** Begins at the packet that is played at the given time, or at the first one. */
  async seek(fromMs: number): Promise<void> {
    this.#take(await this.#feed.seek(fromMs + this.#zeroMs))
  }

  /** Reads on until a packet begins at or after the given time, or the track ends. */
  async fillUntil(untilMs: number): Promise<void> {
    while (!this.ended && this.#lastMs < untilMs) {
      const packet = this.#feed.next()
      // Waiting where there is nothing to wait for is half of the cost of a packet.
      this.#take(packet instanceof Promise ? await packet : packet)
    }
  }

  /** Drops what begins before the given time, but for the packet that is played then. Ends the use of earlier runs. */
  dropBefore(ms: number): void {
    this.packets.splice(0, this.#indexAt(ms))
    const shift = this.packets[0]?.offset ?? this.#used
    this.#bytes.copyWithin(0, shift, this.#used)
    this.#used -= shift
    for (const packet of this.packets) packet.offset -= shift
  }

  /** Gives the buffer back at once; the queue is of no more use. */
  close(): void {
    this.packets.length = 0
    this.#bytes.buffer.transfer(0)
  }

  /** Start of the first packet at or after the given time; null when none has been read. */
  findStart(fromMs: number): number | null {
    return this.packets.find((packet) => packet.startMs >= fromMs)?.startMs ?? null
  }

  /** Where audio resumes after the first gap that opens within a span, of one hole or several; null when it runs through. */
  findGapEnd(afterMs: number, untilMs: number): number | null {
    let before: KeptPacket | undefined
    let missingMs = 0
    for (let at = 0; at < this.packets.length; at++) {
      const packet = this.packets[at]
      if (packet === undefined || (before !== undefined && before.startMs > untilMs)) return null
      const holeMs = packet.startMs > afterMs ? measureHole(before, packet) : 0
      missingMs += holeMs
      if (holeMs > GAP_MS || (holeMs > 0 && missingMs > GAP_MS && this.#isResumedAt(at))) return packet.startMs
      before = packet
    }
    return null
  }

  #isResumedAt(first: number): boolean {
    const startMs = this.packets[first]?.startMs ?? 0
    for (let at = first; at < this.packets.length; at++) {
      const packet = this.packets[at]
      if (packet === undefined || (at > first && measureHole(this.packets[at - 1], packet) > 0)) return false
      if (packet.endMs - startMs >= RESUMED_MS) return true
    }
    return false
  }

  /**
   * The run of audio around a span, reaching up to `overlapMs` out of it on each side, but over no hole. To be used
   * before the queue reads or drops anything more.
   */
  runAround({ startMs, endMs, overlapMs }: { startMs: number; endMs: number; overlapMs: number }): AudioPacket[] {
    const run: KeptPacket[] = []
    for (let i = this.#indexAt(startMs - overlapMs); i < this.packets.length; i++) {
      const packet = this.packets[i]
      if (packet === undefined || packet.startMs >= endMs + overlapMs) break
      const isAfterHole = measureHole(run.at(-1), packet) > 0
      if (isAfterHole && packet.startMs >= endMs) break
      if (isAfterHole && packet.startMs <= startMs) run.length = 0
      run.push(packet)
    }
    return run.map(({ offset, size, startMs, endMs, loudness }) => {
      return { startMs, endMs, loudness, bytes: this.#bytes.subarray(offset, offset + size) }
    })
  }

  /** Puts a run of its packets into a file of their own. */
  write(run: AudioPacket[]): WrittenAudio {
    const { format, config } = this.#kind
    const beginMs = run[0]?.startMs ?? 0
    return {
      audioStartMs: Math.max(0, Math.round(beginMs)),
      audioDurationMs: Math.round((run.at(-1)?.endMs ?? 0) - beginMs),
      bytes: writeChunk(format.contentType, config, run),
      contentType: format.contentType,
    }
  }

  /** Whether a run holds no word: nothing but digital silence, or too little. */
  hasNoWord(run: AudioPacket[]): boolean {
    const silence = new PacketSilence(this.#kind)
    const lengthMs = (run.at(-1)?.endMs ?? 0) - (run[0]?.startMs ?? 0)
    // A single packet is like no other, whatever it holds.
    if (run.length === 1 && this.#kind.format.loudness !== null) return lengthMs < SHORTEST_WORD_MS
    if (this.#kind.format.loudness !== null) for (const { bytes } of run) silence.add(bytes)
    const active = silence.count > 0 ? silence.activeCount : run.filter(({ loudness }) => loudness !== PCM_ZERO).length
    const packetMs = lengthMs / run.length
    return active * packetMs < SHORTEST_WORD_MS || (active === 1 && packetMs <= LONG_PACKET_MS)
  }

  /** Puts all its packets of AAC into ADTS frames; null where they do not go into such. */
  writeAdts(): Uint8Array<ArrayBuffer> | null {
    const { format, config } = this.#kind
    if (format.contentType !== 'audio/mp4') return null
    return writeAdts(config, this.runAround(WHOLE))
  }

  /** Puts all its packets into a file of one of their two channels; null where that cannot be without decoding. */
  writeOneChannel(): Uint8Array<ArrayBuffer> | null {
    const { format, config } = this.#kind
    const one = takeOneChannel(config)
    if (one === null) return null
    const run = this.runAround(WHOLE).map((packet) => ({ ...packet, bytes: one.change(packet.bytes) }))
    return writeChunk(format.contentType, one.config, run)
  }

  #indexAt(ms: number): number {
    const last = this.packets.findLastIndex(({ startMs }) => startMs <= ms)
    return Math.max(0, last)
  }

  #take(packet: FedPacket | null): void {
    const ahead = this.#ahead
    if (packet === null) {
      this.#ahead = null
      this.ended = true
      if (ahead !== null) this.#add(ahead)
      return
    }
    // Whole microseconds: seconds as a fraction, times 1000, can come out below the millisecond that is meant.
    const startMs = Math.round((packet.startMs - this.#zeroMs) * 1000) / 1000
    checkPlace(startMs)
    const placed = { startMs, lengthMs: packet.lengthMs, bytes: packet.bytes }
    // Clocks of a millisecond go back a little; what goes back further plays nowhere.
    if (startMs < this.#lastMs - MAX_PACKET_MS) return this.#lose(placed)
    this.#ahead = null
    if (ahead !== null && startMs < ahead.startMs - MAX_PACKET_MS) this.#lose(ahead)
    else if (ahead !== null) this.#add(ahead)
    if (startMs <= this.#lastMs + MAX_PACKET_MS) return this.#add(placed)
    this.#ahead = { ...placed, bytes: placed.bytes.slice() }
  }

  /** @throws {MediaFault} `unreadable` when so much is lost that somebody would miss it */
  #lose(packet: FedPacket): void {
    this.#lostMs += this.#measureLength(packet)
    if (this.#lostMs > TOLERATED_MS) throw wrongTimes()
  }

  #add(packet: FedPacket): void {
    const { bytes } = packet
    const startMs = Math.max(packet.startMs, this.#lastMs)
    this.#lastMs = startMs
    const { format, config } = this.#kind
    if (format.loudness === null) {
      for (const frame of decodePcm(bytes, startMs, config)) this.#keep(frame)
      return
    }
    const lengthMs = this.#measureLength(packet)
    this.#usualMs = lengthMs
    this.#keep({ startMs, endMs: startMs + lengthMs, bytes, loudness: format.loudness(bytes) })
  }

  #measureLength({ lengthMs, bytes }: FedPacket): number {
    if (lengthMs > 0 && lengthMs <= USUAL_PACKET_MAX_MS) return lengthMs
    const ownMs = measurePacketMs(this.#kind.config, bytes) || this.#usualMs
    return lengthMs > 0 ? Math.min(lengthMs, ownMs ?? MAX_PACKET_MS) : (ownMs ?? USUAL_PACKET_MS)
  }

  #keep({ startMs, endMs, bytes, loudness }: AudioPacket): void {
    this.endMs = endMs
    // Audio from before the video's beginning (an encoder's run-up) is not part of it.
    if (startMs < 0 && endMs <= 0) return
    const needed = this.#used + bytes.byteLength
    if (needed > this.#bytes.byteLength) this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(2 * needed))
    this.#bytes.set(bytes, this.#used)
    this.packets.push({ startMs, endMs, offset: this.#used, size: bytes.byteLength, loudness })
    this.#used = needed
  }
}

/** How much is missing between two packets: no less than a packet may last whose length is not checked. */
function measureHole(before: KeptPacket | undefined, after: KeptPacket): number {
  const holeMs = before === undefined ? 0 : after.startMs - before.endMs
  return holeMs > USUAL_PACKET_MAX_MS ? holeMs : 0
}
