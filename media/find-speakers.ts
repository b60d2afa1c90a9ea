import type { AudioKind } from './audio-chunk.ts'
import type { FedPacket } from './iso/audio-index.ts'
import { decodePcm, PCM_ZERO } from './pcm.ts'

/** Shorter than most words, and longer than a packet. */
const BIN_MS = 250

/** How loud a track is over time, as far as it was looked at. */
export class LoudnessBins {
  /** The loudest packet of each quarter of a second, by its number. */
  readonly values = new Map<number, number>()
  /** Whether 1 is 6 dB. Sizes of packets are on no such scale. */
  readonly isInDecibels: boolean
  readonly #kind: AudioKind

  constructor(kind: AudioKind) {
    this.#kind = kind
    this.isInDecibels = kind.format.loudness === null || kind.config.codec === 'aac' || kind.config.codec === 'mp3'
  }

  /** Takes a packet. */
  add({ bytes, startMs }: FedPacket): void {
    const bin = Math.floor(startMs / BIN_MS)
    const before = this.values.get(bin) ?? Number.NEGATIVE_INFINITY
    this.values.set(bin, Math.max(before, this.#measure(bytes)))
  }

  #measure(bytes: Uint8Array): number {
    const { format, config } = this.#kind
    if (format.loudness !== null) return format.loudness(bytes) ?? 0
    return decodePcm(bytes, 0, config).reduce((most, { loudness }) => Math.max(most, loudness ?? PCM_ZERO), PCM_ZERO)
  }
}

/** A track that was listened to. */
export interface Heard {
  bins: LoudnessBins
  /** Whether it was digital silence wherever it was listened to. */
  isSilent: boolean
  /** ISO 639-2; `und` where none is named. */
  language: string
}

/** Together with the first one as many as a chunk of audio holds. */
const OTHERS_MAX = 7

/**
 * Finds the tracks that other speakers have: those that are rarely loud while the first one or each other is. Tracks in
 * which nothing is heard are among them, because it may be said where nobody has looked; languages and takes are not.
 */
export function findSpeakers<T extends Heard>(first: Heard, others: readonly T[]): T[] {
  const loudest = Math.max(...[first, ...others].map(({ bins }) => (bins.isInDecibels ? measureRange(bins).peak : 0)))
  const speakers: { heard: Heard; loud: Set<number> }[] = [{ heard: first, loud: listLoud(first, loudest) }]
  const found: T[] = []
  for (const heard of others) {
    const loud = listLoud(heard, loudest)
    const isSpeaker = speakers.every(
      (other) => !isOtherLanguage(heard, other.heard) && isApart(loud, other.loud, heard.bins, other.heard.bins),
    )
    if (!isSpeaker || found.length === OTHERS_MAX) continue
    speakers.push({ heard, loud })
    found.push(heard)
  }
  return found
}

function isOtherLanguage({ language: one }: Heard, { language: other }: Heard): boolean {
  return one !== other && one !== 'und' && other !== 'und'
}

/** A second of speech is this many bins: one who speaks rarely has few more. */
const PEAK_BINS = 4
/** Less than the voice in its own microphone, and more than what the others' leave in it. */
const QUIETER_MAX = 3

function measureRange({ values }: LoudnessBins): { floor: number; peak: number } {
  const sorted = [...values.values()].toSorted((a, b) => a - b)
  const floor = sorted[Math.floor(sorted.length / 10)] ?? 0
  return { floor, peak: sorted[Math.max(0, sorted.length - PEAK_BINS)] ?? 0 }
}

/** The bins that are nearer to the loudest than to the quietest, but for those of a track that is never as loud as others. */
function listLoud({ bins, isSilent }: Heard, loudest: number): Set<number> {
  const { floor, peak } = measureRange(bins)
  if (isSilent || peak <= floor) return new Set()
  const halfway = (floor + peak) / 2
  const from = bins.isInDecibels ? Math.max(halfway, loudest - QUIETER_MAX) : halfway
  return new Set([...bins.values].filter(([, value]) => value >= from).map(([bin]) => bin))
}

/**
 * Found on talks of two and three people, alone, with noise in the room, and with the others' voices in each microphone
 * 25 dB more quietly: the quieter one's loud bins were loud in the other one too in at most 27 % (AAC, MP3, FLAC, PCM,
 * Vorbis; Opus without such leaks), in dubs, second microphones, and music or a fan beside a voice in 36 % or more.
 */
const TOGETHER_MAX = 0.3
/** Of Opus, whose encoder goes on with long packets after a word, takes −0.28 and less; none of the others below −0.13. */
const EXCLUSIVE = -0.25
/** Five seconds, and much less than the other one: a language or a take is loud for as long. */
const RARE_BINS = 20
const RARE_SHARE = 1 / 3

function isApart(one: Set<number>, other: Set<number>, ...bins: [LoudnessBins, LoudnessBins]): boolean {
  const fewer = Math.min(one.size, other.size)
  if (fewer <= RARE_BINS && fewer <= RARE_SHARE * Math.max(one.size, other.size)) return true
  const both = [...one].filter((bin) => other.has(bin)).length
  if (both < TOGETHER_MAX * fewer) return true
  const all = new Set([...bins[0].values.keys(), ...bins[1].values.keys()]).size
  // The correlation of being loud.
  const spread = Math.sqrt(one.size * other.size * (all - one.size) * (all - other.size))
  return spread > 0 && (both * all - one.size * other.size) / spread < EXCLUSIVE
}
