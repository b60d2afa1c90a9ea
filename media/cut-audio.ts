import { type AudioChunk, chunkMsAt, readAudioKind } from './audio-chunk.ts'
import { openFeed } from './choose-track.ts'
import { closeMedia, openMedia, readingMedia } from './open-media.ts'
import { PacketQueue } from './packet-queue.ts'
import type { MediaFacts } from './read-facts.ts'
import type { ByteWindow } from './source/byte-window.ts'
import { TrackQueues } from './track-queues.ts'

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
  const queues = await readingMedia(source, () => openTracks(source, facts))
  if (queues === null) return { nextMs: null, nextChunk: options.firstChunk }
  try {
    return await cutChunks(options, queues)
  } finally {
    // Ten minutes of audio allocate several times their size; the packets that are done with are released now.
    queues.close()
    closeMedia(source)
  }
}

async function cutChunks(options: CutOptions, queues: TrackQueues): Promise<SliceEnd> {
  const { source, facts, fromMs, firstChunk, saveChunk } = options
  const { sliceMs = fromMs === 0 ? FIRST_SLICE_MS : SLICE_MS, overlapMs = OVERLAP_MS } = options
  const half = overlapMs / 2
  await readingMedia(source, () => queues.seek(fromMs - half))
  let startMs = fromMs
  for (let chunk = firstChunk; ; chunk++) {
    const chunkMs = options.chunkMs ?? chunkMsAt(chunk)
    const cutMs = await readingMedia(source, () => findChunkEnd(queues, { startMs, chunkMs, half }))
    const endMs = cutMs ?? Math.max(facts.durationMs, Math.ceil(queues.endMs))
    // Where the times of a file contradict each other, its audio may have ended before this slice began.
    const written = await readingMedia(source, async () => queues.write({ startMs, endMs, overlapMs: half }))
    if (written !== null) await saveAndFree({ chunk, startMs, endMs, ...written }, saveChunk)
    if (cutMs === null) return { nextMs: null, nextChunk: written === null ? chunk : chunk + 1 }
    queues.dropBefore(cutMs - half)
    startMs = cutMs
    if (startMs + chunkMs / 2 >= fromMs + sliceMs) return { nextMs: startMs, nextChunk: chunk + 1 }
  }
}

async function saveAndFree(chunk: AudioChunk, saveChunk: CutOptions['saveChunk']): Promise<void> {
  await saveChunk(chunk)
  // The consumer of the chunk may have transferred it to another thread.
  if (!chunk.bytes.buffer.detached) chunk.bytes.buffer.transfer(0)
}

/** Where a chunk is cut, whose audio may set in late or after a long gap; null at the end. */
async function findChunkEnd(
  queues: TrackQueues,
  { startMs, chunkMs, half }: { startMs: number; chunkMs: number; half: number },
): Promise<number | null> {
  await queues.fillUntil(startMs)
  const audioMs = queues.findStart(startMs) ?? startMs
  const lookAheadMs = audioMs + chunkMs * LAST_CHUNK_SHARE
  await queues.fillUntil(lookAheadMs)
  const reachMs = chunkMs * REACH_SHARE
  const gapEndMs = queues.findGapEnd(audioMs, audioMs + chunkMs + reachMs)
  if (gapEndMs === null && queues.ended) return null
  const quietMs = gapEndMs ?? queues.findCut({ targetMs: audioMs + chunkMs, reachMs }) ?? lookAheadMs
  await queues.fillUntil(quietMs + half)
  // Down, never up: the packet at the cut belongs to the next chunk.
  return Math.floor(quietMs)
}

async function openTracks(source: ByteWindow, facts: MediaFacts): Promise<TrackQueues | null> {
  if (facts.audio === null) return null
  const { trackId, speakerIds } = facts.audio
  const tracks = await openMedia(source).getAudioTracks()
  const queues: PacketQueue[] = []
  for (const wantedId of [trackId, ...speakerIds]) {
    const track = tracks.find(({ id }) => id === wantedId) ?? null
    const kind = await readAudioKind(track)
    if (track === null || kind === null) continue
    queues.push(new PacketQueue(kind, await openFeed(source, { track, kind }, facts.container), facts.startMs))
  }
  return queues.length === 0 ? null : new TrackQueues(queues)
}
