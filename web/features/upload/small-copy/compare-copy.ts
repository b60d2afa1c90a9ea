import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack, type InputVideoTrack } from 'mediabunny'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { endAt, spreadOver } from './shown-parts.ts'

/** What is compared of a video. */
export interface ComparedVideo {
  picture: InputVideoTrack
  /** Where it begins in its file's own times. */
  startMs: number
  durationMs: number
  /** Null without audio, and where the copy's is encoded anew. */
  audio: AudioSum | null
}

/** Containers round times to units of their own. */
const ROUNDED_S = 0.002
/** The last frame of a video has no length of its own in some containers. */
const LENGTH_SLACK_MS = 250
const FRAMES = 20

/**
 * Finds what of a copy is not as in the original: its length, the times of twenty frames, or its audio, byte for byte.
 * @param shown what of the original the copy has
 * @returns null where all of it is
 */
export async function findDifference(
  original: ComparedVideo,
  copy: ComparedVideo,
  shown: TimeRanges = [[0, Number.POSITIVE_INFINITY]],
): Promise<string | null> {
  const parts = endAt(shown, original.durationMs / 1000)
  const expectedMs = Math.round((parts.at(-1)?.[1] ?? 0) * 1000)
  if (Math.abs(expectedMs - copy.durationMs) > LENGTH_SLACK_MS)
    return `it is ${copy.durationMs} ms long instead of ${expectedMs} ms`
  for (const atS of spreadOver(parts, FRAMES)) {
    const fromS = parts.findLast(([from]) => from <= atS)?.[0] ?? 0
    // The frame that is seen when a part begins may have begun before it.
    const seenFrom = async (video: ComparedVideo) => noEarlier(await findFrame(video, atS), fromS)
    const [expectedS, foundS] = [await seenFrom(original), await seenFrom(copy)]
    if (expectedS !== foundS && !isNear(expectedS, foundS))
      return `the frame at ${atS} s begins at ${foundS} s instead of ${expectedS} s`
  }
  if (original.audio === null) return null
  return copy.audio === null ? 'it has no audio' : original.audio.findDifference(copy.audio)
}

function noEarlier(timeS: number | null, fromS: number): number | null {
  return timeS === null ? null : Math.max(timeS, fromS)
}

function isNear(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= ROUNDED_S
}

/** When the frame begins that is shown at a moment; null before the first one. */
async function findFrame({ picture, startMs }: ComparedVideo, atS: number): Promise<number | null> {
  const startS = startMs / 1000
  // A moment later: a frame that begins right then may have been rounded up.
  const packet = await new EncodedPacketSink(picture).getPacket(startS + atS + ROUNDED_S, { metadataOnly: true })
  return packet && Math.max(0, packet.timestamp - startS)
}

/** FNV-1a of 32 bits. */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Sums up packets of audio, so that those of two files are compared without either in memory. */
export class AudioSum {
  #count = 0
  #hash = FNV_OFFSET
  #firstS: number | null = null
  #lastS: number | null = null

  add({ data, timestamp }: Pick<EncodedPacket, 'data' | 'timestamp'>): void {
    this.#count += 1
    let hash = this.#hash
    for (const byte of data) hash = Math.imul(hash ^ byte, FNV_PRIME)
    this.#hash = hash
    this.#firstS ??= timestamp
    this.#lastS = timestamp
  }

  /** @returns null where the other has the same packets at the same times */
  findDifference(other: AudioSum): string | null {
    if (this.#count !== other.#count) return `it has ${other.#count} packets of audio instead of ${this.#count}`
    if (this.#hash !== other.#hash) return 'its audio has other bytes'
    const isInTime = this.#count === 0 || (isNear(this.#firstS, other.#firstS) && isNear(this.#lastS, other.#lastS))
    return isInTime ? null : `its audio goes from ${other.#firstS} to ${other.#lastS} s`
  }
}

/** Sums up all audio of a file. */
export async function sumAudio(track: InputAudioTrack): Promise<AudioSum> {
  const sum = new AudioSum()
  for await (const packet of new EncodedPacketSink(track).packets()) sum.add(packet)
  return sum
}
