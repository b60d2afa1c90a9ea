import type { InputAudioTrack } from 'mediabunny'
import type { AudioPart } from './audio-part.ts'
import type { ByteWindow } from './byte-window.ts'
import { asClock } from './clock.ts'
import { findCut } from './find-cut.ts'
import { closeMedia, openMedia, openSoundIndex, readingMedia } from './open-media.ts'
import { type OpenSound, openSound, readSoundKind } from './open-sound.ts'
import { IndexFeed, TrackFeed } from './packet-feed.ts'
import type { PacketQueue } from './packet-queue.ts'
import { partMsAt } from './part-plan.ts'
import type { MediaFacts } from './read-facts.ts'
import { isIsoMedia } from './sniff-container.ts'
import { hasLostMuch, truncated } from './truncated.ts'

/** A whole file in one invocation leaves more garbage behind than an isolate's 128 MB before it is collected. */
const SLICE_MS = 600_000
/** The first slice is short: its parts are handed out while the next one is being cut. */
const FIRST_SLICE_MS = 60_000
/** Shared by neighbouring parts, so that a word at the cut is whole in one of them. */
export const OVERLAP_MS = 2_500
/** A quiet place is looked for this far around the regular cut: ±5 s of speech nearly always hold a pause. */
export const REACH_SHARE = 1 / 6
/** What is left of a file goes into its last part up to this length, rather than into a tiny one. */
const LAST_PART_SHARE = 1.5

/** What to cut, and how. */
export interface CutOptions {
  source: ByteWindow
  facts: MediaFacts
  /** 0, or where the slice before ended. */
  fromMs: number
  /** 0, or the part number that the slice before ended with. */
  firstPart: number
  /**
   * Takes each part as it is made. The next is made when this has settled, so that one is in memory at a time; the
   * part's bytes are gone then.
   */
  savePart: (part: AudioPart) => Promise<void>
  sliceMs?: number
  /** Of every part; by default the first ones are short. */
  partMs?: number
  overlapMs?: number
}

/** Where the next slice begins. `nextMs` is null when the sound has been cut to its end. */
export interface SliceEnd {
  nextMs: number | null
  nextPart: number
}

/**
 * Cuts about ten minutes of a video's sound into parts of about half a minute, where it is quiet. Parts do not depend
 * on where slices begin or end: each cut follows from the cut before it and the sound after it.
 * Doing a slice again yields the same parts.
 * @throws {MediaFault} `truncated` when the sound breaks off early, or `unreadable`; what the window's storage throws is
 *   passed on
 */
export async function cutAudioSlice(options: CutOptions): Promise<SliceEnd> {
  const { source, facts } = options
  const input = openMedia(source)
  const opened =
    facts.audio &&
    (await readingMedia(source, async () => openTrack(source, facts, await input.getPrimaryAudioTrack())))
  if (opened === null) return { nextMs: null, nextPart: options.firstPart }
  try {
    return await cutParts({ ...options, ...opened })
  } finally {
    // Ten minutes of sound allocate several times their size; the packets that are done with are released now.
    opened.queue.close()
    closeMedia(source)
  }
}

async function cutParts(options: CutOptions & OpenSound): Promise<SliceEnd> {
  const { source, facts, fromMs, firstPart, queue, write, savePart } = options
  const { sliceMs = fromMs === 0 ? FIRST_SLICE_MS : SLICE_MS, overlapMs = OVERLAP_MS } = options
  const half = overlapMs / 2
  await readingMedia(source, () => queue.seek(fromMs - half))
  let startMs = fromMs
  for (let part = firstPart; ; part++) {
    const partMs = options.partMs ?? partMsAt(part)
    const { soundMs, cutMs } = await readingMedia(source, () => findPartEnd(queue, { startMs, partMs, half }))
    if (cutMs === null) checkIsWhole(queue, facts)
    const endMs = cutMs ?? Math.max(facts.durationMs, Math.ceil(queue.endMs))
    // Where the times of a file contradict each other, its sound may have ended before this slice began.
    const run = endMs <= startMs ? [] : queue.runAround({ startMs: soundMs, endMs, overlapMs: half })
    if (run.length > 0) {
      const written = await readingMedia(source, async () => write(run))
      await saveAndFree({ part, startMs, endMs, ...written }, savePart)
    }
    if (cutMs === null) return { nextMs: null, nextPart: run.length > 0 ? part + 1 : part }
    queue.dropBefore(cutMs - half)
    startMs = cutMs
    if (startMs + partMs / 2 >= fromMs + sliceMs) return { nextMs: startMs, nextPart: part + 1 }
  }
}

async function saveAndFree(part: AudioPart, savePart: CutOptions['savePart']): Promise<void> {
  await savePart(part)
  // The consumer of the part may have transferred it to another thread.
  if (!part.bytes.buffer.detached) part.bytes.buffer.transfer(0)
}

/** Where a part's sound sets in, which may be late or after a long gap, and where it is cut; null at the end. */
async function findPartEnd(
  queue: PacketQueue,
  { startMs, partMs, half }: { startMs: number; partMs: number; half: number },
) {
  await queue.fillUntil(startMs)
  const soundMs = queue.findStart(startMs) ?? startMs
  const lookAheadMs = soundMs + partMs * LAST_PART_SHARE
  await queue.fillUntil(lookAheadMs)
  const reachMs = partMs * REACH_SHARE
  const gapEndMs = queue.findGapEnd(soundMs, soundMs + partMs + reachMs)
  if (gapEndMs === null && queue.ended) return { soundMs, cutMs: null }
  const quietMs = gapEndMs ?? findCut(queue.packets, { targetMs: soundMs + partMs, reachMs }) ?? lookAheadMs
  await queue.fillUntil(quietMs + half)
  // Down, never up: the packet at the cut belongs to the next part.
  return { soundMs, cutMs: Math.floor(quietMs) }
}

async function openTrack(
  source: ByteWindow,
  facts: MediaFacts,
  track: InputAudioTrack | null,
): Promise<OpenSound | null> {
  const kind = await readSoundKind(track)
  if (track === null || kind === null) return null
  const index = isIsoMedia(facts.container) ? await openSoundIndex(source, track.id) : null
  const canWalk = index?.hasWholePackets === true && kind.format.loudness !== null
  return openSound(kind, canWalk ? new IndexFeed(source, index) : new TrackFeed(track))
}

/** A file that breaks off after its index plays silently up to there, and its index still promises the rest. */
function checkIsWhole(queue: PacketQueue, facts: MediaFacts): void {
  const declaredMs = facts.audio?.declaredEndMs ?? null
  if (declaredMs === null || !hasLostMuch({ lostMs: declaredMs - queue.endMs, ofMs: declaredMs })) return
  throw truncated(
    `The video file is incomplete: its sound ends at ${asClock(queue.endMs)} of ${asClock(declaredMs)}. Upload it again.`,
  )
}
