import { type AudioChunk, chunkMsAt, readAudioKind } from './audio-chunk.ts'
import { openFeed } from './choose-track.ts'
import { findCut } from './find-cut.ts'
import { closeMedia, openMedia, readingMedia } from './open-media.ts'
import { PacketQueue } from './packet-queue.ts'
import type { MediaFacts } from './read-facts.ts'
import type { ByteWindow } from './source/byte-window.ts'

/** A whole file in one invocation leaves more garbage behind than an isolate's 128 MB before it is collected. */
const SLICE_MS = 600_000
/** The first slice is short: its chunks are handed out while the next one is being cut. */
const FIRST_SLICE_MS = 60_000
/** Shared by neighbouring chunks, so that a word at the cut is whole in one of them. */
export const OVERLAP_MS = 2_500
/** A quiet place is looked for this far around the regular cut: ±5 s of speech nearly always hold a pause. */
export const REACH_SHARE = 1 / 6
/** What is left of a file goes into its last chunk up to this length, rather than into a tiny one. */
const LAST_CHUNK_SHARE = 1.5

/** What to cut, and how. */
export interface CutOptions {
  source: ByteWindow
  facts: MediaFacts
  /** 0, or where the slice before ended. */
  fromMs: number
  /** 0, or the chunk number that the slice before ended with. */
  firstChunk: number
  /**
   * Takes each chunk as it is made. The next is made when this has settled, so that one is in memory at a time; the
   * chunk's bytes are gone then.
   */
  saveChunk: (chunk: AudioChunk) => Promise<void>
  sliceMs?: number
  /** Of every chunk; by default the first ones are short. */
  chunkMs?: number
  overlapMs?: number
}

/** Where the next slice begins. `nextMs` is null when the audio has been cut to its end. */
export interface SliceEnd {
  nextMs: number | null
  nextChunk: number
}

/**
 * Cuts about ten minutes of a video's audio into chunks of about half a minute, where it is quiet. Chunks do not depend
 * on where slices begin or end: each cut follows from the cut before it and the audio after it.
 * Doing a slice again yields the same chunks.
 * @throws {MediaFault} `unreadable`; what the window's storage throws is passed on
 */
export async function cutAudioSlice(options: CutOptions): Promise<SliceEnd> {
  const { source, facts } = options
  const queue = facts.audio && (await readingMedia(source, () => openTrack(source, facts)))
  if (queue === null) return { nextMs: null, nextChunk: options.firstChunk }
  try {
    return await cutChunks(options, queue)
  } finally {
    // Ten minutes of audio allocate several times their size; the packets that are done with are released now.
    queue.close()
    closeMedia(source)
  }
}

async function cutChunks(options: CutOptions, queue: PacketQueue): Promise<SliceEnd> {
  const { source, facts, fromMs, firstChunk, saveChunk } = options
  const { sliceMs = fromMs === 0 ? FIRST_SLICE_MS : SLICE_MS, overlapMs = OVERLAP_MS } = options
  const half = overlapMs / 2
  await readingMedia(source, () => queue.seek(fromMs - half))
  let startMs = fromMs
  for (let chunk = firstChunk; ; chunk++) {
    const chunkMs = options.chunkMs ?? chunkMsAt(chunk)
    const { audioMs, cutMs } = await readingMedia(source, () => findChunkEnd(queue, { startMs, chunkMs, half }))
    const endMs = cutMs ?? Math.max(facts.durationMs, Math.ceil(queue.endMs))
    // Where the times of a file contradict each other, its audio may have ended before this slice began.
    const run = endMs <= startMs ? [] : queue.runAround({ startMs: audioMs, endMs, overlapMs: half })
    if (run.length > 0) {
      const written = await readingMedia(source, async () => queue.write(run))
      await saveAndFree({ chunk, startMs, endMs, ...written }, saveChunk)
    }
    if (cutMs === null) return { nextMs: null, nextChunk: run.length > 0 ? chunk + 1 : chunk }
    queue.dropBefore(cutMs - half)
    startMs = cutMs
    if (startMs + chunkMs / 2 >= fromMs + sliceMs) return { nextMs: startMs, nextChunk: chunk + 1 }
  }
}

async function saveAndFree(chunk: AudioChunk, saveChunk: CutOptions['saveChunk']): Promise<void> {
  await saveChunk(chunk)
  // The consumer of the chunk may have transferred it to another thread.
  if (!chunk.bytes.buffer.detached) chunk.bytes.buffer.transfer(0)
}

/** Where a chunk's audio sets in, which may be late or after a long gap, and where it is cut; null at the end. */
async function findChunkEnd(
  queue: PacketQueue,
  { startMs, chunkMs, half }: { startMs: number; chunkMs: number; half: number },
) {
  await queue.fillUntil(startMs)
  const audioMs = queue.findStart(startMs) ?? startMs
  const lookAheadMs = audioMs + chunkMs * LAST_CHUNK_SHARE
  await queue.fillUntil(lookAheadMs)
  const reachMs = chunkMs * REACH_SHARE
  const gapEndMs = queue.findGapEnd(audioMs, audioMs + chunkMs + reachMs)
  if (gapEndMs === null && queue.ended) return { audioMs, cutMs: null }
  const quietMs = gapEndMs ?? findCut(queue.packets, { targetMs: audioMs + chunkMs, reachMs }) ?? lookAheadMs
  await queue.fillUntil(quietMs + half)
  // Down, never up: the packet at the cut belongs to the next chunk.
  return { audioMs, cutMs: Math.floor(quietMs) }
}

async function openTrack(source: ByteWindow, facts: MediaFacts): Promise<PacketQueue | null> {
  const tracks = await openMedia(source).getAudioTracks()
  const track = tracks.find(({ id }) => id === facts.audio?.trackId) ?? null
  const kind = await readAudioKind(track)
  if (track === null || kind === null) return null
  return new PacketQueue(kind, await openFeed(source, { track, kind }, facts.container), facts.startMs)
}
