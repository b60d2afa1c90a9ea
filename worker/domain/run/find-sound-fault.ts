import type { AudioPart } from '#media/audio-part.ts'
import type { MediaFacts } from '#media/read-facts.ts'
import type { R2Window } from '#worker/domain/media/r2-window.ts'
import { cutSourceSlice } from '#worker/domain/media/read-source.ts'
import type { PlannedPart } from './client-sound-store.ts'
import { openAudioPart } from './open-audio-part.ts'

/** Containers round durations to their own ticks; a difference of more than a second is another video. */
export const DURATION_TOLERANCE_MS = 1_000

/** A browser's sound, and the video that it is said to be of. */
export interface ComparedSound {
  bucket: R2Bucket
  /** Opens the video; each part is cut from a reading of its own. */
  openSource: () => R2Window
  facts: MediaFacts
  /** What the browser said. */
  durationMs: number | null
  parts: PlannedPart[]
  /** Null while the browser has not sent all of them. */
  partCount: number | null
}

/**
 * Compares a browser's sound with the video's own: its length, that its parts follow each other without a gap, and a
 * few of them byte for byte. The browser runs the very same cutting code, and a part depends on nothing but where it
 * begins, so an honest one is equal.
 * @returns what is wrong, for the log; null when nothing is
 * @throws what keeps the video from being read
 */
export async function findSoundFault(sound: ComparedSound): Promise<string | null> {
  const { facts, durationMs, parts, partCount } = sound
  if (partCount !== null && parts.length !== partCount) return `${parts.length} of ${partCount} parts are there`
  if (parts.length === 0) return null
  if (facts.audio === null) return 'the video has no sound that can be read'
  if (Math.abs(facts.durationMs - (durationMs ?? 0)) > DURATION_TOLERANCE_MS) {
    return `it lasts ${durationMs} ms, the video ${facts.durationMs} ms`
  }
  const broken = parts.find((part, at) => part.part !== at || part.startMs !== (parts[at - 1]?.endMs ?? 0))
  if (broken !== undefined) return `part ${broken.part} does not follow the one before it`
  // Side by side, since READY waits for it, and each is a few reads of the bucket.
  const compared = await Promise.all(
    sampleOf(parts).map(async (part) => ({ part: part.part, isSame: await isSame(sound, part) })),
  )
  const different = compared.find(({ isSame }) => !isSame)
  return different === undefined ? null : `part ${different.part} is not what the video has there`
}

/** The first, the middle one and the last but one: what was left out, added or shifted anywhere moves one of them. */
function sampleOf(parts: PlannedPart[]): PlannedPart[] {
  const places = [0, Math.floor(parts.length / 2), Math.max(0, parts.length - 2)]
  return [...new Set(places)].flatMap((place) => parts[place] ?? [])
}

async function isSame(sound: ComparedSound, planned: PlannedPart): Promise<boolean> {
  const { bucket, facts, openSource } = sound
  let same = false
  await cutSourceSlice({
    source: openSource(),
    facts,
    fromMs: planned.startMs,
    firstPart: planned.part,
    // Ends with the first part.
    sliceMs: 1,
    savePart: async (cut) => {
      same = hasSameTimes(cut, planned) && (await hasSameBytes(bucket, planned, cut.bytes))
    },
  })
  return same
}

function hasSameTimes(cut: AudioPart, planned: PlannedPart): boolean {
  return (
    cut.part === planned.part &&
    cut.startMs === planned.startMs &&
    cut.endMs === planned.endMs &&
    cut.audioStartMs === planned.audioStartMs &&
    cut.audioDurationMs === planned.audioDurationMs &&
    cut.contentType === planned.contentType &&
    cut.bytes.byteLength === planned.sizeBytes
  )
}

/** Of the very object that is transcribed: another one that has taken its place is not the video's, whatever it is. */
async function hasSameBytes(bucket: R2Bucket, part: PlannedPart, bytes: Uint8Array): Promise<boolean> {
  const object = await openAudioPart(bucket, part)
  if (object === null || !('body' in object)) return false
  const stored = new Uint8Array(await object.arrayBuffer())
  return stored.byteLength === bytes.byteLength && stored.every((byte, at) => byte === bytes[at])
}
