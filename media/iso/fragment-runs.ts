import { type ByteWindow, damaged, viewOf } from '../source/byte-window.ts'
import type { FragmentPlace } from './fragment-places.ts'
import { BOX_HEAD_BYTES, LONG_BOX_HEAD_BYTES, readHead, readView, walkBoxes } from './iso-boxes.ts'
import type { IsoMovie, IsoTrack, SampleDefaults } from './iso-movie.ts'

/** Samples of one track that lie one after the other. */
export interface Run {
  trackId: number
  /** When its first sample is decoded, in units of the track's timescale. */
  ticks: number
  offset: number
  count: number
  /** Sum of what its samples last. */
  lengthTicks: number
  sizeBytes: number
  /** What its samples have unless each says otherwise. */
  defaults: SampleDefaults
  entries: { view: DataView; start: number; bytes: number; hasTicks: boolean; hasSize: boolean }
}

/** A frame each for nine hours at 60 a second; what claims more is broken. */
const FRAGMENTS_MAX = 2_000_000
/** An hour of AAC in a single fragment; fragments are made so that they are small. */
export const FRAGMENT_SAMPLES_MAX = 200_000

/** A file has at most one sample per byte; each may be read twice, once for the length and once for the audio. */
export function maxSamplesOf(fileBytes: number): number {
  return 2 * fileBytes + FRAGMENT_SAMPLES_MAX
}

/**
 * The runs of samples of each fragment of a movie, in the order of the file, from a place that was passed before or from
 * the beginning. Ends at the first thing that is no box: what recorders, cameras and downloaders put behind their last
 * box is none.
 * @see ISO/IEC 14496-12, 8.8
 */
export async function* readFragments(
  source: ByteWindow,
  { tracks, end, places }: IsoMovie,
  from: FragmentPlace | null = null,
): AsyncGenerator<Run[], void> {
  // A fragment without a time is played after the one before.
  const next = new Map(from?.next ?? tracks.map((track) => [track.id, track.listedTicks]))
  const reached = new Map(from?.reached ?? listedEnds(tracks))
  const defaults = new Map(tracks.map((track) => [track.id, track.defaults]))
  let samplesLeft = maxSamplesOf(source.sizeBytes)
  let behind = from?.offset ?? end
  let box = await findBoxAt(source, behind)
  for (let count = 0; box !== null; count++) {
    if (count === FRAGMENTS_MAX) throw damaged()
    let runs: Run[] = []
    if (box.name === 'moof') {
      places.note({ offset: box.start, next, reached })
      const view = await readView(source, box.start, box.end)
      runs = readRuns(view, { start: box.start, headBytes: box.headBytes, next, defaults })
      noteReached(reached, runs, tracks)
      samplesLeft -= runs.reduce((samples, run) => samples + run.count, 0)
      if (samplesLeft < 0) throw damaged()
    }
    // Before the runs are handed out: reading their samples moves the window on, and it would have to come back.
    behind = box.end
    box = await findBoxAt(source, behind)
    if (runs.length > 0) yield runs
  }
  // What goes on behind damage would be missing without a word.
  if (await holdsFragment(source, behind)) throw damaged()
  places.complete(reached)
}

function listedEnds(tracks: readonly IsoTrack[]): [number, number][] {
  return tracks
    .filter(({ listedTicks }) => listedTicks > 0)
    .map((track) => [track.id, startOfRun({ ticks: track.listedTicks }, track)])
}

function noteReached(reached: Map<number, number>, runs: readonly Run[], tracks: readonly IsoTrack[]): void {
  for (const run of runs) {
    const track = tracks.find(({ id }) => id === run.trackId)
    if (track === undefined || run.count === 0) continue
    const endTicks = startOfRun(run, track) + run.lengthTicks
    reached.set(run.trackId, Math.max(reached.get(run.trackId) ?? endTicks, endTicks))
  }
}

interface FoundBox {
  name: string
  headBytes: number
  start: number
  end: number
}

/** @returns null at the end, and for what is no box or a fragment that breaks off */
async function findBoxAt(source: ByteWindow, start: number): Promise<FoundBox | null> {
  if (start + BOX_HEAD_BYTES > source.sizeBytes) return null
  const { name, headBytes, size } = readHead(await viewAt(source, start, start + LONG_BOX_HEAD_BYTES), 0)
  // Without a size media goes on to the end of the file; zeros are no box.
  if (size === 0 && name !== 'mdat') return null
  const end = size === 0 ? source.sizeBytes : start + size
  if (end < start + headBytes || (name === 'moof' && end > source.sizeBytes)) return null
  return { name, headBytes, start, end }
}

const SCAN_BYTES = 64 * 1024
/** Size and name of a fragment, size and name of the head that each begins with. */
const FRAGMENT_HEAD_BYTES = 16
const MOOF = 0x6d_6f_6f_66
const MFHD = 0x6d_66_68_64

/** Whether a whole fragment begins somewhere behind a place. */
async function holdsFragment(source: ByteWindow, from: number): Promise<boolean> {
  for (let at = from; at + FRAGMENT_HEAD_BYTES <= source.sizeBytes; at += SCAN_BYTES) {
    const view = await viewAt(source, at, at + SCAN_BYTES + FRAGMENT_HEAD_BYTES - 1)
    for (let place = 0; place + FRAGMENT_HEAD_BYTES <= view.byteLength; place++) {
      const isFragment = view.getUint32(place + 4) === MOOF && view.getUint32(place + 12) === MFHD
      if (isFragment && at + place + view.getUint32(place) <= source.sizeBytes) return true
    }
  }
  return false
}

async function viewAt(source: ByteWindow, start: number, end: number): Promise<DataView> {
  const until = Math.min(end, source.sizeBytes)
  const held = source.viewHeld(start, until)
  return held === null ? readView(source, start, until) : viewOf(held)
}

interface Fragment {
  start: number
  headBytes: number
  next: Map<number, number>
  defaults: Map<number, SampleDefaults>
}

const ENTERED: ReadonlySet<string> = new Set(['traf'])
const HAS_BASE = 0x1
const HAS_DESCRIPTION = 0x2
const HAS_DEFAULT_TICKS = 0x8
const HAS_DEFAULT_SIZE = 0x10
const BASE_IS_FRAGMENT = 0x20000

/** State of a track while its fragment is read. */
interface TrackState {
  trackId: number
  defaults: SampleDefaults
  base: number
  /** Behind the last run. */
  dataAt: number
  ticks: number
}

function readRuns(view: DataView, { start, headBytes, next, defaults }: Fragment): Run[] {
  const runs: Run[] = []
  let state: TrackState | null = null
  let dataEnd = start
  let samples = 0
  for (const { name, contentStart, end } of walkBoxes(view, {
    from: headBytes,
    until: view.byteLength,
    entered: ENTERED,
  })) {
    const content = { view, contentStart, end: Math.min(end, view.byteLength) }
    if (name === 'tfhd') {
      const trackId = view.getUint32(contentStart + 4)
      const trackDefaults = defaults.get(trackId)
      state =
        trackDefaults === undefined
          ? null
          : readTrackHead(content, { start, dataEnd, defaults: trackDefaults, ticks: next.get(trackId) ?? 0 })
    } else if (state !== null && name === 'tfdt') {
      state.ticks =
        view.getUint8(contentStart) === 1
          ? Number(view.getBigUint64(contentStart + 4))
          : view.getUint32(contentStart + 4)
    } else if (state !== null && name === 'trun') {
      const run = readRun(content, state)
      samples += run.count
      if (samples > FRAGMENT_SAMPLES_MAX) throw damaged()
      state.ticks += run.lengthTicks
      state.dataAt = run.offset + run.sizeBytes
      dataEnd = state.dataAt
      next.set(run.trackId, state.ticks)
      runs.push(run)
    }
  }
  return runs
}

interface Content {
  view: DataView
  contentStart: number
  end: number
}

function readTrackHead(
  { view, contentStart }: Content,
  inherited: { start: number; dataEnd: number; defaults: SampleDefaults; ticks: number },
): TrackState {
  const flags = view.getUint32(contentStart) & 0xff_ffff
  const trackId = view.getUint32(contentStart + 4)
  let field = contentStart + 8
  let base = flags & BASE_IS_FRAGMENT ? inherited.start : inherited.dataEnd
  if (flags & HAS_BASE) {
    base = Number(view.getBigUint64(field))
    field += 8
  }
  if (flags & HAS_DESCRIPTION) field += 4
  const defaults = { ...inherited.defaults }
  if (flags & HAS_DEFAULT_TICKS) {
    defaults.ticks = view.getUint32(field)
    field += 4
  }
  if (flags & HAS_DEFAULT_SIZE) defaults.size = view.getUint32(field)
  return { trackId, defaults, base, dataAt: base, ticks: inherited.ticks }
}

const HAS_OFFSET = 0x1
const HAS_FIRST_FLAGS = 0x4
const HAS_TICKS = 0x100
const HAS_SIZE = 0x200
const HAS_FLAGS = 0x400
const HAS_LATER = 0x800

function readRun({ view, contentStart, end }: Content, { trackId, defaults, base, dataAt, ticks }: TrackState): Run {
  const flags = view.getUint32(contentStart) & 0xff_ffff
  let field = contentStart + 8
  let offset = dataAt
  if (flags & HAS_OFFSET) {
    offset = base + view.getInt32(field)
    field += 4
  }
  if (flags & HAS_FIRST_FLAGS) field += 4
  const bytes = 4 * [HAS_TICKS, HAS_SIZE, HAS_FLAGS, HAS_LATER].filter((flag) => flags & flag).length
  const claimed = view.getUint32(contentStart + 4)
  const count = bytes === 0 ? claimed : Math.min(claimed, Math.max(0, Math.floor((end - field) / bytes)))
  if (offset < 0 || !Number.isSafeInteger(offset)) throw damaged()
  const entries = { view, start: field, bytes, hasTicks: (flags & HAS_TICKS) !== 0, hasSize: (flags & HAS_SIZE) !== 0 }
  return measured({ trackId, ticks, offset, count, defaults, entries, lengthTicks: 0, sizeBytes: 0 })
}

/** Adds up entries only where there are any: usual samples cost no time, however many a run claims. */
function measured(run: Run): Run {
  const { count, defaults, entries } = run
  let [lengthTicks, sizeBytes] = [
    entries.hasTicks ? 0 : count * defaults.ticks,
    entries.hasSize ? 0 : count * defaults.size,
  ]
  if (entries.hasTicks) for (let sample = 0; sample < count; sample++) lengthTicks += ticksOf(run, sample)
  if (entries.hasSize) for (let sample = 0; sample < count; sample++) sizeBytes += sizeOf(run, sample)
  return { ...run, lengthTicks, sizeBytes }
}

export function ticksOf({ defaults, entries }: Run, sample: number): number {
  return entries.hasTicks ? entries.view.getUint32(entries.start + sample * entries.bytes) : defaults.ticks
}

export function sizeOf({ defaults, entries }: Run, sample: number): number {
  return entries.hasSize
    ? entries.view.getUint32(entries.start + sample * entries.bytes + (entries.hasTicks ? 4 : 0))
    : defaults.size
}

/** How much of a run lies beyond the end of the file, in units of its track's timescale. */
export function measureMissing(run: Run, fileBytes: number): number {
  if (run.offset + run.sizeBytes <= fileBytes) return 0
  let [ticks, end] = [0, run.offset]
  for (let sample = 0; sample < run.count; sample++) {
    end += sizeOf(run, sample)
    if (end > fileBytes) ticks += ticksOf(run, sample)
  }
  return ticks
}

const UNEDITED = { playedAt: 0, mediaAt: 0 }

/** When the first sample of a run is played, in units of its track's timescale. */
export function startOfRun({ ticks }: Pick<Run, 'ticks'>, { edits }: IsoTrack): number {
  const { playedAt, mediaAt } = edits[0] ?? UNEDITED
  return ticks - mediaAt + playedAt
}
