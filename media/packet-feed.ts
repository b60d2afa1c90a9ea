import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import type { AudioIndex } from './audio-index.ts'
import type { ByteWindow } from './byte-window.ts'

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

  constructor(source: ByteWindow, index: AudioIndex) {
    this.#source = source
    this.#index = index
  }

  seek(ms: number): Answer {
    this.#index.seek(ms)
    return this.next()
  }

  next(): Answer {
    const packet = this.#index.next()
    if (packet === null) return null
    const { offset, size, startMs, endMs } = packet
    // A file that is cut short: its index lists packets beyond its bytes.
    if (offset + size > this.#source.sizeBytes) return null
    const lengthMs = endMs - startMs
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
