import type { InputAudioTrack } from 'mediabunny'
import { type AudioChunk, type AudioPacket, chunkMsAt } from './audio-chunk.ts'
import type { ByteWindow } from './byte-window.ts'
import { closeMedia, openAudioIndex, openMedia, readingMedia } from './open-media.ts'
import { IndexFeed, PacketQueue, readAudioKind, TrackFeed } from './packet-queue.ts'
import { hasLostMuch, incomplete, isIsoMedia, type MediaFacts } from './read-facts.ts'

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
 * Cuts about ten minutes of a video's audio into parts of about half a minute, where it is quiet. Chunks do not depend
 * on where slices begin or end: each cut follows from the cut before it and the audio after it.
 * Doing a slice again yields the same chunks.
 * @throws {MediaFault} `truncated` when the audio breaks off early, or `unreadable`; what the window's storage throws is
 *   passed on
 */
export async function cutAudioSlice(options: CutOptions): Promise<SliceEnd> {
  const { source, facts } = options
  const input = openMedia(source)
  const queue =
    facts.audio &&
    (await readingMedia(source, async () => openTrack(source, facts, await input.getPrimaryAudioTrack())))
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
    if (cutMs === null) checkIsWhole(queue, facts)
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

async function openTrack(
  source: ByteWindow,
  facts: MediaFacts,
  track: InputAudioTrack | null,
): Promise<PacketQueue | null> {
  const kind = await readAudioKind(track)
  if (track === null || kind === null) return null
  const index = isIsoMedia(facts.container) ? await openAudioIndex(source, track.id) : null
  const canWalk = index?.hasWholePackets === true && kind.format.loudness !== null
  return new PacketQueue(kind, canWalk ? new IndexFeed(source, index) : new TrackFeed(track))
}

/** A file that breaks off after its index plays silently up to there, and its index still promises the rest. */
function checkIsWhole(queue: PacketQueue, facts: MediaFacts): void {
  const declaredMs = facts.audio?.declaredEndMs ?? null
  if (declaredMs === null || !hasLostMuch({ lostMs: declaredMs - queue.endMs, ofMs: declaredMs })) return
  throw incomplete(`its audio ends at ${asClock(queue.endMs)} of ${asClock(declaredMs)}. Upload it again.`)
}

/** Where audio may be cut, and how loud it is there. */
type CutCandidate = Pick<AudioPacket, 'startMs' | 'loudness'>

interface CutRange {
  /** Where the cut would be with nothing to choose from. */
  targetMs: number
  /** How far from it a quieter place may lie. */
  reachMs: number
}

/** A pause between words lasts about this long; a single quiet packet inside a word is shorter. */
const PAUSE_MS = 300
/** Loudness differences under this are none: the place nearer to the target wins. */
const EQUAL_LOUDNESS = 0.05

/**
 * Finds the quietest place around the target, so that no word is cut through. With unknown or constant loudness it is
 * the packet nearest to the target. Depends on nothing but the packets within the range and `PAUSE_MS / 2` around it.
 * @param packets in order of time
 * @returns null when no packet starts within the range
 */
export function findCut(packets: readonly CutCandidate[], { targetMs, reachMs }: CutRange): number | null {
  let best: { startMs: number; loudness: number } | null = null
  let from = 0
  for (const { startMs } of packets) {
    if (startMs < targetMs - reachMs || startMs > targetMs + reachMs) continue
    while ((packets[from]?.startMs ?? startMs) < startMs - PAUSE_MS / 2) from++
    const loudness = meanLoudness(packets, from, startMs + PAUSE_MS / 2)
    const isNearer = best === null || Math.abs(startMs - targetMs) < Math.abs(best.startMs - targetMs)
    const difference = best === null ? 0 : loudness - best.loudness
    if (difference < -EQUAL_LOUDNESS || (difference <= EQUAL_LOUDNESS && isNearer)) best = { startMs, loudness }
  }
  return best?.startMs ?? null
}

function meanLoudness(packets: readonly CutCandidate[], from: number, untilMs: number): number {
  let sum = 0
  let count = 0
  for (let i = from; i < packets.length; i++) {
    const packet = packets[i]
    if (packet === undefined || packet.startMs >= untilMs) break
    sum += packet.loudness ?? 0
    count++
  }
  return count === 0 ? 0 : sum / count
}

/** A length of time as people write it: `0:49`, `1:02:03`. */
function asClock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const chunks = [Math.floor(seconds / 60) % 60, seconds % 60].map((chunk) => String(chunk).padStart(2, '0'))
  const hours = Math.floor(seconds / 3600)
  return hours > 0 ? [hours, ...chunks].join(':') : chunks.join(':').replace(/^0/, '')
}
