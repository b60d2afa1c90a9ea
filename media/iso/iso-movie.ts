import { type ByteWindow, damaged } from '../source/byte-window.ts'
import { AudioIndex, type Edit } from './audio-index.ts'
import { FragmentPlaces } from './fragment-places.ts'
import { type Box, findBox, readBoxes, readHeadNumber, readView, TABLE_HEAD_BYTES } from './iso-boxes.ts'

/** A track of audio or of pictures, as an MP4's index describes it. */
export interface IsoTrack {
  id: number
  isAudio: boolean
  /** Whether its packets are protected against copying. */
  isEncrypted: boolean
  timescale: number
  /** What is played of its media, in order of time. */
  edits: Edit[]
  /** Length of the samples that the index lists, in units of the timescale; fragments follow behind them. */
  listedTicks: number
  /** What samples of fragments have unless they say otherwise. */
  defaults: SampleDefaults
  /** Its samples in the index; null where the index cannot be walked. */
  readIndex: () => Promise<AudioIndex | null>
}

export interface SampleDefaults {
  ticks: number
  size: number
}

/** Tracks of an MP4, from its index. */
export interface IsoMovie {
  tracks: IsoTrack[]
  /** Whether fragments follow, beside the samples that the index lists. */
  isFragmented: boolean
  /** Where its box ends: fragments come behind it. */
  end: number
  /** Fragments that were passed so far. */
  places: FragmentPlaces
}

/** Reads what an MP4 or MOV says of its tracks; null where it has no index. */
export async function readIsoMovie(source: ByteWindow): Promise<IsoMovie | null> {
  for await (const box of readBoxes(source, 0, source.sizeBytes)) {
    if (box.name !== 'moov') continue
    if (box.end > source.sizeBytes) return null
    const extension = await findBox(source, box, 'mvex')
    const movieScale = await readHeadNumber(source, box, 'mvhd')
    const defaults = extension === null ? new Map<number, SampleDefaults>() : await readDefaults(source, extension)
    const tracks: IsoTrack[] = []
    for await (const track of readBoxes(source, box.contentStart, box.end)) {
      if (track.name !== 'trak') continue
      const read = await readTrack(source, track, { movieScale, isFragmented: extension !== null, defaults })
      if (read !== null) tracks.push(read)
    }
    return { tracks, isFragmented: extension !== null, end: box.end, places: new FragmentPlaces(source.sizeBytes) }
  }
  return null
}

/** Version and flags, the track, the description, then length, size and flags of samples. */
const DEFAULTS_BYTES = 24

async function readDefaults(source: ByteWindow, extension: Box): Promise<Map<number, SampleDefaults>> {
  const defaults = new Map<number, SampleDefaults>()
  for await (const { name, contentStart, end } of readBoxes(source, extension.contentStart, extension.end)) {
    if (name !== 'trex' || end - contentStart < DEFAULTS_BYTES) continue
    const view = await readView(source, contentStart, contentStart + DEFAULTS_BYTES)
    defaults.set(view.getUint32(4), { ticks: view.getUint32(12), size: view.getUint32(16) })
  }
  return defaults
}

interface MovieFacts {
  movieScale: number | null
  isFragmented: boolean
  defaults: Map<number, SampleDefaults>
}

/** @returns null for what is neither audio nor pictures, such as subtitles, chapters and time codes */
async function readTrack(source: ByteWindow, track: Box, movie: MovieFacts): Promise<IsoTrack | null> {
  const id = await readHeadNumber(source, track, 'tkhd')
  const timescale = await readHeadNumber(source, track, 'mdia', 'mdhd')
  const kind = await readKind(source, track)
  const stbl = await findBox(source, track, 'mdia', 'minf', 'stbl')
  if (id === null || !timescale || stbl === null || (kind !== 'soun' && kind !== 'vide')) return null
  const listed = await readEdits(source, track, { movieScale: movie.movieScale, timescale })
  // What is written while it is recorded does not know its length yet.
  const edits = movie.isFragmented
    ? listed.slice(0, 1).map((edit) => ({ ...edit, length: Number.POSITIVE_INFINITY }))
    : listed
  const durations = await findBox(source, stbl, 'stts')
  const description = await findBox(source, stbl, 'stsd')
  const format = description && (await readDescription(source, description)).format
  let index: Promise<AudioIndex | null> | null = null
  return {
    id,
    isAudio: kind === 'soun',
    isEncrypted: ENCRYPTED.has(format ?? ''),
    timescale,
    edits,
    listedTicks: durations === null ? 0 : sumTicks(await readView(source, durations.contentStart, durations.end)),
    defaults: movie.defaults.get(id) ?? { ticks: 0, size: 0 },
    readIndex: () => (index ??= readIndex(source, stbl, { timescale, edits })),
  }
}

/** Offset of the handler type in `hdlr`. */
const KIND_AT = 8

async function readKind(source: ByteWindow, track: Box): Promise<string | null> {
  const handler = await findBox(source, track, 'mdia', 'hdlr')
  if (handler === null || handler.end - handler.contentStart < KIND_AT + 4) return null
  const view = await readView(source, handler.contentStart + KIND_AT, handler.contentStart + KIND_AT + 4)
  return readName(view, 0)
}

/** Editors write a few edits; a list with more than this is broken. */
const EDITS_MAX = 1_000
/** A sample that stands still. */
const STILL = 0

/**
 * What an edit list plays of a track: it takes off the encoder's run-up before the first audio, lets the track wait, or
 * leaves parts of it out.
 * @see ISO/IEC 14496-12, 8.6.6 Edit List Box
 */
async function readEdits(
  source: ByteWindow,
  track: Box,
  { movieScale, timescale }: { movieScale: number | null; timescale: number },
): Promise<Edit[]> {
  const list = await findBox(source, track, 'edts', 'elst')
  const whole = { playedAt: 0, mediaAt: 0, length: Number.POSITIVE_INFINITY }
  if (list === null || !movieScale) return [whole]
  const view = await readView(source, list.contentStart, list.end)
  const isLong = view.getUint8(0) === 1
  const entryBytes = isLong ? 20 : 12
  const count = Math.min(view.getUint32(4), Math.floor((view.byteLength - TABLE_HEAD_BYTES) / entryBytes))
  if (count > EDITS_MAX) throw damaged()
  const edits: Edit[] = []
  let played = 0
  for (let i = 0, offset = TABLE_HEAD_BYTES; i < count; i++, offset += entryBytes) {
    const length = isLong ? Number(view.getBigUint64(offset)) : view.getUint32(offset)
    const mediaAt = isLong ? Number(view.getBigInt64(offset + 8)) : view.getInt32(offset + 4)
    const isPlayed = mediaAt >= 0 && view.getInt16(offset + entryBytes - 4) !== STILL
    const playedAt = Math.round((played / movieScale) * timescale)
    // A length of 0 is one that was not known; a tick of the movie is the rounding of every other.
    const ticks = length === 0 ? Number.POSITIVE_INFINITY : Math.ceil(((length + 1) / movieScale) * timescale)
    if (isPlayed) edits.push({ playedAt, mediaAt, length: ticks })
    played += length
  }
  if (edits.length > 0) return edits
  return [{ ...whole, playedAt: Math.round((played / movieScale) * timescale) }]
}

/** Sums the durations of all samples of a table, in ticks. */
function sumTicks(durations: DataView): number {
  let sum = 0
  for (
    let offset = TABLE_HEAD_BYTES, entriesLeft = durations.getUint32(4);
    entriesLeft > 0 && offset + 8 <= durations.byteLength;
    entriesLeft--, offset += 8
  ) {
    sum += durations.getUint32(offset) * durations.getUint32(offset + 4)
  }
  return sum
}

const TABLE_NAMES: ReadonlySet<string> = new Set(['stts', 'stsz', 'stsc', 'stco', 'co64'])

async function readIndex(
  source: ByteWindow,
  stbl: Box,
  { timescale, edits }: Pick<IsoTrack, 'timescale' | 'edits'>,
): Promise<AudioIndex | null> {
  const tables = new Map<string, DataView>()
  for await (const { name, contentStart, end } of readBoxes(source, stbl.contentStart, stbl.end)) {
    if (TABLE_NAMES.has(name)) tables.set(name, await readView(source, contentStart, end))
    else if (name === 'stz2') return null
    // Packets of changing kinds.
    else if (name === 'stsd' && (await readDescription(source, { contentStart, end })).count !== 1) return null
  }
  const [durations, sizes, chunkRuns] = [tables.get('stts'), tables.get('stsz'), tables.get('stsc')]
  const longOffsets = tables.get('co64')
  const chunkOffsets = longOffsets ?? tables.get('stco')
  if (!durations || !sizes || !chunkRuns || !chunkOffsets) return null
  const hasLongOffsets = longOffsets !== undefined
  return new AudioIndex(
    { timescale, edits, durations, sizes, chunkRuns, chunkOffsets, hasLongOffsets },
    source.sizeBytes,
  )
}

/** What stands in place of the format; the last two are iTunes'. @see ISO/IEC 14496-12, 8.12 Support for Protected Streams */
const ENCRYPTED: ReadonlySet<string> = new Set(['enca', 'encv', 'drms', 'drmi'])
/** Version and flags, the number of descriptions, then the length and format of the first. */
const DESCRIPTION_BYTES = 16

async function readDescription(source: ByteWindow, { contentStart, end }: Pick<Box, 'contentStart' | 'end'>) {
  if (end - contentStart < DESCRIPTION_BYTES) return { count: 0, format: null }
  const view = await readView(source, contentStart, contentStart + DESCRIPTION_BYTES)
  return { count: view.getUint32(4), format: readName(view, 12) }
}

function readName(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}
