import { EncodedPacketSink, type InputTrack } from 'mediabunny'
import { readBoxes } from './iso/iso-boxes.ts'
import type { IsoMovie } from './iso/iso-movie.ts'
import { endOfListed, measureTracks, type TrackSpan } from './iso/measure-tracks.ts'
import { findListedEnd } from './iso/segment-index.ts'
import { readSegmentEnd } from './matroska-end.ts'
import { openIsoMovie } from './open-media.ts'
import { type ByteWindow, MediaFault } from './source/byte-window.ts'

/** When a video begins and how long it is, by its samples: what heads say of it is often wrong. Whole milliseconds. */
interface MediaSpan {
  startMs: number
  durationMs: number
}

/** Less than this is how players and encoders begin; from there on it is a recording that was cut out of a longer one. */
const LATE_START_MS = 1_000

/**
 * Measures an MP4 or MOV.
 * @throws {MediaFault} `truncated` when much that its index or fragments name lies beyond its end
 */
export async function measureIsoMedia(source: ByteWindow, knownDurationMs: number | null): Promise<MediaSpan> {
  const movie = await openIsoMovie(source)
  if (movie === null) throw incomplete('its index is missing. Upload it again, or make a new recording.')
  const spans = [...(await measureTracks(source, movie, knownDurationMs === null ? 'end' : 'beginning')).values()]
  const startMs = startOf(spans.map((span) => span.startMs))
  if (knownDurationMs !== null) return { startMs, durationMs: knownDurationMs }
  if (spans.length === 0) {
    throw incomplete('it holds neither picture nor audio. Upload it again, or make a new recording.')
  }
  await checkListed(source, movie)
  if (movie.isFragmented) await checkFragments(source, { movie, spans })
  return spanOf(startMs, endOf(spans))
}

function endOf(spans: readonly TrackSpan[]): number {
  return spans.reduce((latest, { endMs }) => Math.max(latest, endMs), 0)
}

function startOf(startsMs: readonly number[]): number {
  const first = Math.min(...startsMs)
  return Number.isFinite(first) && first >= LATE_START_MS ? Math.round(first) : 0
}

function spanOf(startMs: number, endMs: number): MediaSpan {
  checkPlace(startMs)
  const durationMs = Math.max(0, Math.round(endMs) - startMs)
  checkPlace(durationMs)
  return { startMs, durationMs }
}

/** A usual file has three or four boxes. Each may cost a read, so no more are searched for media that breaks off. */
const MAX_BOXES = 64

async function checkListed(source: ByteWindow, { tracks }: IsoMovie): Promise<void> {
  // The picture's index is large, so it is read only where something seems to be missing.
  const isCut = await hasCutMedia(source)
  for (const track of tracks) {
    if (track.listedTicks === 0 || !(track.isAudio || isCut)) continue
    const lostShare = (await track.readIndex())?.measureLost(source.sizeBytes) ?? 0
    if (lostShare * endOfListed(track) > TOLERATED_MS) throw arrivedInPart(1 - lostShare)
  }
}

async function hasCutMedia(source: ByteWindow): Promise<boolean> {
  let count = 0
  for await (const { name, end } of readBoxes(source, 0, source.sizeBytes)) {
    if (name === 'mdat' && end > source.sizeBytes) return true
    if (++count === MAX_BOXES) return false
  }
  return false
}

/** A fragment names its own samples. What is missing behind the last one shows in a list of them, if there is one. */
async function checkFragments(
  source: ByteWindow,
  { movie, spans }: { movie: IsoMovie; spans: readonly TrackSpan[] },
): Promise<void> {
  const endMs = endOf(spans)
  const listedEnd = await findListedEnd(source, movie)
  if (listedEnd !== null && listedEnd > source.sizeBytes) {
    const share = source.sizeBytes / listedEnd
    if (endMs / share - endMs > TOLERATED_MS) throw arrivedInPart(share)
  }
  for (const span of spans) {
    if (span.missingMs > TOLERATED_MS) throw arrivedInPart(1 - span.missingMs / (span.endMs - span.startMs))
  }
}

/**
 * Measures a Matroska or WebM file.
 * @throws {MediaFault} `truncated` when much of what its head announces is missing
 */
export async function measureSegment(
  source: ByteWindow,
  { tracks, knownDurationMs }: { tracks: readonly InputTrack[]; knownDurationMs: number | null },
): Promise<MediaSpan> {
  const missingBytes = Math.max(0, (await readSegmentEnd(source)) - source.sizeBytes)
  const firstsS: number[] = []
  for (const track of tracks) {
    const first = await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })
    if (first !== null) firstsS.push(first.timestamp)
  }
  const startMs = startOf(firstsS.map((s) => s * 1000))
  if (knownDurationMs !== null) return { startMs, durationMs: knownDurationMs }
  const statedMs = await readStatedMs(tracks)
  if (missingBytes > 0 && statedMs !== null) {
    const share = source.sizeBytes / (missingBytes + source.sizeBytes)
    if ((statedMs - startMs) * (1 - share) > TOLERATED_MS) throw arrivedInPart(share)
  }
  return spanOf(startMs, await readEndMs(tracks, statedMs))
}

async function readStatedMs(tracks: readonly InputTrack[]): Promise<number | null> {
  const lengths = await Promise.all(tracks.map((track) => track.getDurationFromMetadata()))
  const longest = lengths.reduce<number>((most, length) => Math.max(most, length ?? 0), 0)
  return longest > 0 ? longest * 1000 : null
}

/** A stated length that differs from the last frame's end by at most this is trusted. */
const AGREEING_MS = 1_000

async function readEndMs(tracks: readonly InputTrack[], statedMs: number | null): Promise<number> {
  // The video track is read first, because cues name its frames and so its end is found at once.
  const sorted = tracks.toSorted((a, b) => Number(b.type === 'video') - Number(a.type === 'video'))
  let endMs = 0
  // The tracks are read one after the other, because two readers at once would make the window jump back and forth.
  for (const track of sorted) {
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true })
    if (last !== null) endMs = Math.max(endMs, (last.timestamp + last.duration) * 1000)
    if (statedMs !== null && Math.abs(statedMs - endMs) <= AGREEING_MS) return Math.max(statedMs, endMs)
  }
  return endMs
}

/** A loss of this much is ignored. */
export const TOLERATED_MS = 1_000

function arrivedInPart(share: number): MediaFault {
  return incomplete(`${Math.max(0, Math.floor(100 * share))} % of it arrived. Upload it again.`)
}

/** Makes the fault of an incomplete file. @param what is incomplete, and what to do */
export function incomplete(what: string): MediaFault {
  return new MediaFault('truncated', `The video file is incomplete: ${what}`)
}

/** No training is as long as a day; a time longer than a day comes from a broken clock. */
const LONGEST_MS = 24 * 60 * 60_000

/** @throws {MediaFault} `unreadable` for a place in a video that cannot be */
export function checkPlace(ms: number): void {
  if (!(Math.abs(ms) <= LONGEST_MS)) throw wrongTimes()
}

/** Makes the fault of a file whose times contradict each other, or everything else. */
export function wrongTimes(): MediaFault {
  return new MediaFault('unreadable', 'The times in this file cannot be right. Export it again as MP4 or WebM.')
}
