import type { ByteWindow } from '../source/byte-window.ts'
import { type Answer, type AudioIndex, type IndexedPacket, type PacketFeed, readPacket } from './audio-index.ts'
import { type Run, readFragments, sizeOf, startOfRun, ticksOf } from './fragment-runs.ts'
import type { IsoMovie, IsoTrack } from './iso-movie.ts'

function* packetsOf(runs: readonly Run[], track: IsoTrack): Generator<IndexedPacket, void> {
  const { id, timescale } = track
  for (const run of runs) {
    if (run.trackId !== id) continue
    let { offset } = run
    let ticks = startOfRun(run, track)
    for (let sample = 0; sample < run.count; sample++) {
      const [size, length] = [sizeOf(run, sample), ticksOf(run, sample)]
      yield {
        offset,
        size,
        startMs: (ticks * 1000) / timescale,
        lengthMs: (length * 1000) / timescale,
      }
      offset += size
      ticks += length
    }
  }
}

/** Single samples of PCM are put together to as long as a packet is. */
const JOINED_MS = 20

function* joinSamples(samples: Iterable<IndexedPacket>): Generator<IndexedPacket, void> {
  let joined: IndexedPacket | null = null
  for (const { offset, size, startMs, lengthMs } of samples) {
    if (joined !== null && (joined.lengthMs >= JOINED_MS || joined.offset + joined.size !== offset)) {
      yield joined
      joined = null
    }
    joined ??= { offset, size: 0, startMs, lengthMs: 0 }
    joined.size += size
    joined.lengthMs += lengthMs
  }
  if (joined !== null) yield joined
}

/** Less than a packet, and more than what is lost when ticks become milliseconds. */
const ROUNDED_MS = 1

/** A track whose samples lie in the index and in fragments. */
interface FragmentedTrack {
  movie: IsoMovie
  track: IsoTrack
  /** Null where the index lists none. */
  index: AudioIndex | null
  isPcm: boolean
}

/** Walks the index of an MP4 and the fragments behind it. */
export class FragmentFeed implements PacketFeed {
  readonly #source: ByteWindow
  readonly #movie: IsoMovie
  readonly #track: IsoTrack
  readonly #index: AudioIndex | null
  readonly #isPcm: boolean
  #fragments: AsyncGenerator<Run[], void> | null = null
  #packets: Iterator<IndexedPacket, void> = [][Symbol.iterator]()

  constructor(source: ByteWindow, { movie, track, index, isPcm }: FragmentedTrack) {
    this.#source = source
    this.#isPcm = isPcm
    this.#movie = movie
    this.#track = track
    this.#index = index
  }

  async seek(ms: number): Promise<Awaited<Answer>> {
    const { places } = this.#movie
    if (places.knowsNone(this.#track.id)) return null
    const place = places.find(this.#track.id, ((ms - ROUNDED_MS) * this.#track.timescale) / 1000)
    this.#fragments = readFragments(this.#source, this.#movie, place)
    // Samples of the index come before all places.
    this.#packets = this.#walk(place === null ? (this.#index?.packets(ms) ?? []) : [])
    let last: IndexedPacket | null = null
    for (;;) {
      const packet = this.#packets.next().value ?? (await this.#findNext())
      if (packet === null) return last && readPacket(this.#source, last)
      if (packet.startMs + packet.lengthMs > ms) return readPacket(this.#source, packet)
      last = packet
    }
  }

  next(): Answer {
    const packet = this.#packets.next().value
    return packet === undefined ? this.#readNext() : readPacket(this.#source, packet)
  }

  async #readNext(): Promise<Awaited<Answer>> {
    const packet = await this.#findNext()
    return packet && readPacket(this.#source, packet)
  }

  #walk(packets: Iterable<IndexedPacket>): Iterator<IndexedPacket, void> {
    return (this.#isPcm ? joinSamples(packets) : packets)[Symbol.iterator]()
  }

  /** The first packet of the next fragment that has any of the track. */
  async #findNext(): Promise<IndexedPacket | null> {
    for (;;) {
      const runs = (await this.#fragments?.next())?.value
      if (!runs) return null
      this.#packets = this.#walk(packetsOf(runs, this.#track))
      const packet = this.#packets.next().value
      if (packet) return packet
    }
  }
}
