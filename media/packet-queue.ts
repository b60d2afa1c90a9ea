import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import {
  type AudioConfig,
  type AudioFormat,
  type AudioPacket,
  findAudioFormat,
  type WrittenAudio,
} from './audio-chunk.ts'
import type { AudioIndex, IndexedPacket } from './audio-index.ts'
import { type ByteWindow, MediaFault } from './byte-window.ts'
import { decodePcm } from './pcm.ts'
import { writeChunk } from './write-chunk.ts'

/** What has to be known of a track of audio to cut it and to write it again. */
export interface AudioKind {
  format: AudioFormat
  config: AudioConfig
}

/** Half of what telephones have, and twice of what studios do; audio of another rate would grow without bounds when it is resampled. */
const RATE_MIN = 4_000
const RATE_MAX = 384_000
const CHANNELS_MAX = 255

/**
 * Finds out what a track is; null when there is none, or none that can be carried on.
 * @throws {MediaFault} `unreadable` for a track that cannot be what it claims
 */
export async function readAudioKind(track: InputAudioTrack | null): Promise<AudioKind | null> {
  const codec = (await track?.getCodec()) ?? null
  const format = findAudioFormat(codec)
  const decoderConfig = await track?.getDecoderConfig()
  if (codec === null || format === null || !decoderConfig) return null
  const { sampleRate, numberOfChannels: channels, description } = decoderConfig
  if (!(sampleRate >= RATE_MIN && sampleRate <= RATE_MAX && channels >= 1 && channels <= CHANNELS_MAX)) {
    throw new MediaFault('unreadable', 'The audio of this file is damaged. Export it again as MP4.')
  }
  return {
    format,
    config: { codec, sampleRate, channels, description: description === undefined ? null : copyOf(description) },
  }
}

function copyOf(description: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength).slice()
    : new Uint8Array(description.slice(0))
}

/** A packet as its container gives it. */
interface FedPacket {
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

/** Asks mediabunny for one packet after the other. */
export class TrackFeed implements PacketFeed {
  readonly #sink: EncodedPacketSink
  #last: EncodedPacket | null = null

  constructor(track: InputAudioTrack) {
    this.#sink = new EncodedPacketSink(track)
  }

  async seek(ms: number): Promise<FedPacket | null> {
    const there = ms > 0 ? await this.#sink.getPacket(ms / 1000) : null
    return this.#feed(there ?? (await this.#sink.getFirstPacket()))
  }

  async next(): Promise<FedPacket | null> {
    return this.#last === null ? null : this.#feed(await this.#sink.getNextPacket(this.#last))
  }

  #feed(packet: EncodedPacket | null): FedPacket | null {
    this.#last = packet
    if (packet === null) return null
    return { startMs: packet.timestamp * 1000, lengthMs: packet.duration * 1000, bytes: packet.data }
  }
}

/** No packet lasts longer (2,048 samples at 8 kHz); where a container says so, it counts the pause after it in. */
const MAX_PACKET_MS = 260
/** Three quarters of a minute of audio at 192 kbit/s; grows where there is more. */
const FIRST_BUFFER_BYTES = 1024 * 1024
/** For a file of a single packet without a length; any other file has one. */
const USUAL_PACKET_MS = 20
/** With this much missing between two packets, decoded audio would run ahead of the video: it must not be joined. */
const GAP_MS = 500

interface KeptPacket extends Omit<AudioPacket, 'bytes'> {
  /** Where in the shared buffer its bytes begin. */
  at: number
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
  #bytes = new Uint8Array(FIRST_BUFFER_BYTES)
  #used = 0
  #lastMs = Number.NEGATIVE_INFINITY
  #usualMs = USUAL_PACKET_MS

  constructor(kind: AudioKind, feed: PacketFeed) {
    this.#kind = kind
    this.#feed = feed
  }

  /** Begins at the packet that is played at the given time, or at the first one. */
  async seek(fromMs: number): Promise<void> {
    this.#take(await this.#feed.seek(fromMs))
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
    const shift = this.packets[0]?.at ?? this.#used
    this.#bytes.copyWithin(0, shift, this.#used)
    this.#used -= shift
    for (const packet of this.packets) packet.at -= shift
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

  /** Where audio resumes after the first gap that opens within a span; null when it runs through. */
  findGapEnd(afterMs: number, untilMs: number): number | null {
    let before: KeptPacket | undefined
    for (const packet of this.packets) {
      if (before !== undefined && before.startMs > untilMs) return null
      if (packet.startMs > afterMs && isGap(before, packet)) return packet.startMs
      before = packet
    }
    return null
  }

  /**
   * The unbroken run of audio around a span, reaching up to `overlapMs` out of it on each side. To be used before the
   * queue reads or drops anything more.
   */
  runAround({ startMs, endMs, overlapMs }: { startMs: number; endMs: number; overlapMs: number }): AudioPacket[] {
    const run: KeptPacket[] = []
    for (let i = this.#indexAt(startMs - overlapMs); i < this.packets.length; i++) {
      const packet = this.packets[i]
      if (packet === undefined || packet.startMs >= endMs + overlapMs) break
      const isAfterGap = isGap(run.at(-1), packet)
      if (isAfterGap && packet.startMs >= endMs) break
      if (isAfterGap && packet.startMs <= startMs) run.length = 0
      run.push(packet)
    }
    return run.map(({ at, size, ...times }) => ({ ...times, bytes: this.#bytes.subarray(at, at + size) }))
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

  #indexAt(ms: number): number {
    const last = this.packets.findLastIndex(({ startMs }) => startMs <= ms)
    return Math.max(0, last)
  }

  #take(packet: FedPacket | null): void {
    if (packet === null) {
      this.ended = true
      return
    }
    // Whole microseconds: seconds as a fraction, times 1000, can come out below the millisecond that is meant.
    const statedMs = Math.round(packet.startMs * 1000) / 1000
    checkPlace(statedMs)
    // Clocks of a millisecond go back a little; what goes back further plays nowhere.
    if (statedMs < this.#lastMs - MAX_PACKET_MS) return
    const startMs = Math.max(statedMs, this.#lastMs)
    this.#lastMs = startMs
    const { format, config } = this.#kind
    if (format.loudness === null) {
      for (const frame of decodePcm(packet.bytes, startMs, config)) this.#keep(frame)
      return
    }
    const lengthMs = packet.lengthMs > 0 ? Math.min(packet.lengthMs, MAX_PACKET_MS) : this.#usualMs
    this.#usualMs = lengthMs
    const { bytes } = packet
    this.#keep({ startMs, endMs: startMs + lengthMs, bytes, loudness: format.loudness(bytes) })
  }

  #keep({ startMs, endMs, bytes, loudness }: AudioPacket): void {
    this.endMs = endMs
    // Audio from before the video's beginning (an encoder's run-up) is not part of it.
    if (startMs < 0 && endMs <= 0) return
    const needed = this.#used + bytes.byteLength
    if (needed > this.#bytes.byteLength) this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(2 * needed))
    this.#bytes.set(bytes, this.#used)
    this.packets.push({ startMs, endMs, at: this.#used, size: bytes.byteLength, loudness })
    this.#used = needed
  }
}

function isGap(before: KeptPacket | undefined, after: KeptPacket): boolean {
  return before !== undefined && after.startMs - before.startMs > GAP_MS
}

/** No training is as long as a day; what says so has a broken clock. */
export const LONGEST_MS = 24 * 60 * 60_000

/** @throws {MediaFault} `unreadable` for a place in a video that cannot be */
export function checkPlace(ms: number): void {
  if (Math.abs(ms) <= LONGEST_MS) return
  throw new MediaFault('unreadable', 'The times in this file cannot be right. Export it again as MP4 or WebM.')
}
