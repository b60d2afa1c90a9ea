import type { AudioChunk } from '#media/audio-chunk.ts'
import { type MediaFacts } from '#media/read-facts.ts'
import { cutSourceSlice } from './cut-source.ts'
import { listParts, openAudioChunk, type PlannedChunk } from './planned-chunk.ts'
import type { R2Window } from './r2-window.ts'

/** Containers round durations to their own ticks; a difference of more than a second is other audio, or another video. */
export const DURATION_TOLERANCE_MS = 1_000

/** A browser's audio, and the video that it is said to be of. */
export interface ComparedAudio {
  bucket: R2Bucket
  /** Opens the video; each chunk is cut from a separate reading. */
  openSource: () => R2Window
  facts: MediaFacts
  /** What the browser said. */
  durationMs: number | null
  chunks: PlannedChunk[]
  /** Null while the browser has not sent all of them. */
  chunkCount: number | null
}

/**
 * Compares a browser's audio with the video's own: its length, that its chunks follow each other without a gap, and a
 * few of them byte for byte. The browser runs the very same cutting code, and a chunk depends on nothing but where it
 * begins, so an honest one is equal.
 * @returns what is wrong, for the log; null when nothing is
 * @throws what keeps the video from being read
 */
export async function compareAudio(audio: ComparedAudio): Promise<string | null> {
  const { facts, durationMs, chunks, chunkCount } = audio
  if (chunkCount !== null && chunks.length !== chunkCount) return `${chunks.length} of ${chunkCount} chunks are there`
  if (chunks.length === 0) return null
  if (facts.audio === null) return 'the video has no audio that can be read'
  if (facts.candidates.length > 0) return 'which of its tracks is transcribed is not decided'
  if (Math.abs(facts.durationMs - (durationMs ?? 0)) > DURATION_TOLERANCE_MS) {
    return `it lasts ${durationMs} ms, the video ${facts.durationMs} ms`
  }
  const broken = chunks.find(
    (chunk, index) => chunk.chunk !== index || chunk.startMs !== (chunks[index - 1]?.endMs ?? 0),
  )
  if (broken !== undefined) return `chunk ${broken.chunk} does not follow the one before it`
  // Side by side, since READY waits for it, and each is a few reads of the bucket.
  const compared = await Promise.all(
    sampleOf(chunks).map(async (chunk) => ({ chunk: chunk.chunk, isSame: await isSame(audio, chunk) })),
  )
  const different = compared.find(({ isSame }) => !isSame)
  return different === undefined ? null : `chunk ${different.chunk} is not what the video has there`
}

/** The first, the middle and the last but one: audio that is missing, added or shifted anywhere changes one of them. */
function sampleOf(chunks: PlannedChunk[]): PlannedChunk[] {
  const places = [0, Math.floor(chunks.length / 2), Math.max(0, chunks.length - 2)]
  return [...new Set(places)].flatMap((place) => chunks[place] ?? [])
}

async function isSame(audio: ComparedAudio, planned: PlannedChunk): Promise<boolean> {
  const { bucket, facts, openSource } = audio
  let same = false
  await cutSourceSlice({
    source: openSource(),
    facts,
    fromMs: planned.startMs,
    firstChunk: planned.chunk,
    // Ends with the first chunk.
    sliceMs: 1,
    saveChunk: async (cut) => {
      same = hasSameTimes(cut, planned) && (await hasSameBytes(bucket, planned, cut.bytes))
    },
  })
  return same
}

function hasSameTimes(cut: AudioChunk, planned: PlannedChunk): boolean {
  const cutParts = listParts({ ...cut, sizeBytes: cut.bytes.byteLength })
  const plannedParts = listParts(planned)
  return (
    cut.chunk === planned.chunk &&
    cut.startMs === planned.startMs &&
    cut.endMs === planned.endMs &&
    cutParts.length === plannedParts.length &&
    cutParts.every((part, index) => {
      const other = plannedParts[index]
      return (
        part.audioStartMs === other?.audioStartMs &&
        part.audioDurationMs === other.audioDurationMs &&
        part.contentType === other.contentType &&
        part.sizeBytes === other.sizeBytes
      )
    })
  )
}

/** Of the very object that is transcribed: another one that has taken its place is not the video's, whatever it is. */
async function hasSameBytes(bucket: R2Bucket, chunk: PlannedChunk, bytes: Uint8Array): Promise<boolean> {
  const object = await openAudioChunk(bucket, chunk)
  if (object === null || !('body' in object)) return false
  const stored = new Uint8Array(await object.arrayBuffer())
  return stored.byteLength === bytes.byteLength && stored.every((byte, index) => byte === bytes[index])
}
