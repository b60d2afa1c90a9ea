import type { AudioKind } from './audio-chunk.ts'
import { readFlacFrame } from './flac-frame.ts'
import { decodePcm } from './pcm.ts'

/** About −50 dB, as `decodePcm` measures loudness. */
const PCM_SILENCE = -8.3
const SILENT_PCM = 'silent'
const NO_CONTENT = 'empty'

/**
 * Counts which packets are silence: an encoder writes alike packets for it, and hardly two that are alike for anything
 * else. Of PCM the samples say it.
 */
export class PacketSilence {
  /** Packets so far. */
  count = 0
  readonly #kind: AudioKind
  readonly #counts = new Map<string, number>()

  constructor(kind: AudioKind) {
    this.#kind = kind
  }

  /** Takes the next packet of a track. */
  add(bytes: Uint8Array): void {
    const mark = this.#markOf(bytes)
    this.count++
    this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1)
  }

  /** How many packets are no silence. */
  get activeCount(): number {
    if (this.#kind.format.loudness === null) return this.count - (this.#counts.get(SILENT_PCM) ?? 0)
    return this.count - [...this.#counts.values()].reduce((most, count) => Math.max(most, count), 0)
  }

  #markOf(bytes: Uint8Array): string {
    const { format, config } = this.#kind
    if (config.codec === 'flac') return `${sizeOfContent(bytes)}`
    if (format.loudness !== null) {
      const loudness = format.loudness(bytes)
      // Of a constant bit rate some packets of silence are filled up by a byte.
      return loudness === 0 ? NO_CONTENT : `${bytes.byteLength} ${loudness} ${hashOf(bytes)}`
    }
    const isSilent = decodePcm(bytes, 0, config).every(({ loudness }) => (loudness ?? 0) < PCM_SILENCE)
    return isSilent ? SILENT_PCM : 'loud'
  }
}

/** Each frame of FLAC has a number and a check sum, by which even frames of silence differ; the last one has a count, too. */
function sizeOfContent(bytes: Uint8Array): number {
  const frame = readFlacFrame(bytes)
  return frame === null ? bytes.byteLength : bytes.byteLength - frame.numberBytes - frame.countBytes
}

/** Keeps packets of a constant bit rate apart. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0
  return hash
}
