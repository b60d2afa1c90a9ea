import { EncodedPacketSink, type Input, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import { type AudioConfig, findAudioFormat, readAudioKind } from './audio-chunk.ts'
import { type ByteWindow, MediaFault, viewOf } from './byte-window.ts'
import { readBoxes, readHead, readView } from './iso-boxes.ts'
import { openAudioIndex, openMedia, readingMedia } from './open-media.ts'

/** What a video is, as far as cutting its audio and knowing who can watch it needs. */
export interface MediaFacts {
  /** Length of the whole video: its longest track. */
  durationMs: number
  container: VideoContainer
  /** The main track of audio; null when there is none, or none that we can carry. */
  audio: AudioFacts | null
  /** Name of the main track's format when we cannot carry it; null otherwise. Captions make such a video usable. */
  unsupportedAudio: string | null
  hasVideo: boolean
  /** Codec string of the main picture, such as `avc1.64001f`, or what its container calls it; null without either. */
  videoCodec: string | null
}

export interface AudioFacts extends Omit<AudioConfig, 'description'> {
  /** End of the track as the file's own index has it; null when the container does not say that for a single track. */
  declaredEndMs: number | null
}

/**
 * Reads what a video is from its index, without its content. Costs a few range reads; only a file without any stated
 * length (WebM as recorded by a browser, fragmented MP4 without an index) is read through once.
 * @param knownDurationMs what an earlier call found, so that such a file is not read through again
 * @throws {MediaFault} `unreadable` or `truncated`; what the window's storage throws is passed on
 */
export async function readMediaFacts(source: ByteWindow, knownDurationMs: number | null = null): Promise<MediaFacts> {
  return readingMedia(source, async () => {
    const container = await readContainer(source)
    const { endsAt, movieMs } = isIsoMedia(container) ? await readOuterBoxes(source) : await readSegment(source)
    const missingBytes = Math.max(0, endsAt - source.sizeBytes)
    const input = openMedia(source)
    const tracks = await input.getTracks()
    if (tracks.length === 0) {
      throw incomplete('its index is missing. Upload it again, or make a new recording.')
    }
    const durationMs = movieMs ?? knownDurationMs ?? (await readDurationMs(input, tracks))
    checkPlace(durationMs)
    const lostMs = (durationMs * missingBytes) / (missingBytes + source.sizeBytes)
    if (hasLostMuch({ lostMs, ofMs: durationMs })) {
      const percent = Math.floor((100 * source.sizeBytes) / (source.sizeBytes + missingBytes))
      throw incomplete(`${percent} % of it arrived. Upload it again.`)
    }
    const track = await input.getPrimaryAudioTrack()
    const codec = await track?.getCodec()
    const isCarried = findAudioFormat(codec ?? null) !== null
    const unsupportedAudio = track === null || isCarried ? null : (codec?.toUpperCase() ?? 'an unknown format')
    const audio = track !== null && isCarried ? await readAudioFacts(source, track, container) : null
    const picture = await input.getPrimaryVideoTrack()
    const videoCodec = picture && (await readVideoCodec(picture))
    return { durationMs, container, audio, unsupportedAudio, hasVideo: picture !== null, videoCodec }
  })
}

async function readContainer(source: ByteWindow): Promise<VideoContainer> {
  const first = source.sizeBytes === 0 ? null : await source.read(0, Math.min(SNIFF_BYTES, source.sizeBytes))
  const container = first === null ? null : sniffContainer(first)
  if (container !== null) return container
  const what = first === null ? 'This file is empty.' : 'This file is not an MP4, MOV, WebM or MKV video.'
  throw new MediaFault('unreadable', `${what} Choose the video file and upload it again.`)
}

async function readAudioFacts(
  source: ByteWindow,
  track: InputAudioTrack,
  container: VideoContainer,
): Promise<AudioFacts | null> {
  const kind = await readAudioKind(track)
  if (kind === null) return null
  const { codec, sampleRate, channels } = kind.config
  const index = isIsoMedia(container) ? await openAudioIndex(source, track.id) : null
  // Some recorders declare a track of audio and never write to it.
  const first = () => new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })
  if (index === null ? (await first()) === null : index.count === 0) return null
  return { codec, sampleRate, channels, declaredEndMs: index === null ? null : Math.round(index.endMs) }
}

/** What a container calls a format without a codec string is a name of a few letters. */
const CODEC_NAME = /^[\x21-\x7e][\x20-\x7e]{1,62}/

async function readVideoCodec(track: InputVideoTrack): Promise<string | null> {
  const entry = await track.getInternalCodecId()
  const codec = await track.getCodecParameterString()
  // mediabunny calls all HEVC `hev1`; Safari plays it as `hvc1` only.
  const name = entry === 'hvc1' ? codec?.replace(/^hev1/, entry) : (codec ?? entry)
  return typeof name === 'string' ? (CODEC_NAME.exec(name)?.[0].trim() ?? null) : null
}

async function readDurationMs(input: Input, tracks: InputTrack[]): Promise<number> {
  const statedS = await input.getDurationFromMetadata(tracks)
  if (statedS !== null && statedS > 0) return Math.round(statedS * 1000)
  let endMs = 0
  // One after the other: two tracks read through at once would each make the other's reading jump.
  for (const track of tracks) {
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true })
    if (last !== null) endMs = Math.max(endMs, Math.round((last.timestamp + last.duration) * 1000))
  }
  return endMs
}

/** Containers that Adapt accepts, by the type that their first bytes show. */
type VideoContainer = 'video/mp4' | 'video/quicktime' | 'video/webm' | 'video/x-matroska'

/** As many bytes of an object as {@link sniffContainer} needs; an EBML head may carry padding before its doctype. */
export const SNIFF_BYTES = 4096

const EBML_MAGIC = [0x1a, 0x45, 0xdf, 0xa3] as const
const EBML_DOCTYPE = [0x42, 0x82] as const
/** First boxes of QuickTime files that were written without `ftyp`. */
const QUICKTIME_FIRST_BOXES: ReadonlySet<string> = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/**
 * Finds the container from the first bytes of a file, whatever its name and declared type say. Null: not a video that
 * Adapt can open. An MP4 and a WebM that hold only audio look the same from here; their tracks differ.
 */
export function sniffContainer(first: Uint8Array): VideoContainer | null {
  return sniffIsoMedia(first) ?? sniffEbml(first)
}

/** Whether a container is built of boxes: MP4 and what it came from. */
export function isIsoMedia(container: string | null): boolean {
  return container === 'video/mp4' || container === 'video/quicktime'
}

function sniffIsoMedia(first: Uint8Array): VideoContainer | null {
  if (first.length < 12) return null
  const box = ascii(first, 4, 8)
  if (box === 'ftyp') return ascii(first, 8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  return QUICKTIME_FIRST_BOXES.has(box) ? 'video/quicktime' : null
}

function sniffEbml(first: Uint8Array): VideoContainer | null {
  if (!EBML_MAGIC.every((byte, i) => first[i] === byte)) return null
  for (let at = EBML_MAGIC.length; at + 3 < first.length; at++) {
    if (first[at] !== EBML_DOCTYPE[0] || first[at + 1] !== EBML_DOCTYPE[1]) continue
    // A size of one byte has its highest bit set; no doctype is longer than that allows.
    const size = (first[at + 2] ?? 0) & 0x7f
    const doctype = ascii(first, at + 3, at + 3 + size).split('\0', 1)[0]
    if (doctype === 'webm') return 'video/webm'
    if (doctype === 'matroska') return 'video/x-matroska'
  }
  return null
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}

const codesOf = (text: string) => Array.from(text, (char) => char.charCodeAt(0))

/** How containers begin that Adapt cannot open, and where. @see the file signatures of each format */
const FOREIGN: readonly { name: string; at: number; bytes: readonly number[] }[] = [
  { name: 'AVI', at: 8, bytes: codesOf('AVI ') },
  { name: 'WAV', at: 8, bytes: codesOf('WAVE') },
  // MPEG-1 and MPEG-2 program streams, and the bare picture of one.
  { name: 'MPEG', at: 0, bytes: [0, 0, 1, 0xba] },
  { name: 'MPEG', at: 0, bytes: [0, 0, 1, 0xb3] },
  { name: 'Windows Media (WMV)', at: 0, bytes: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11] },
  { name: 'Flash video (FLV)', at: 0, bytes: codesOf('FLV\u0001') },
  { name: 'Ogg', at: 0, bytes: codesOf('OggS') },
  { name: 'RealMedia', at: 0, bytes: codesOf('.RMF') },
  { name: 'MXF', at: 0, bytes: [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01] },
  { name: 'MP3', at: 0, bytes: codesOf('ID3') },
]

/** An MPEG transport stream has this byte at the beginning of each packet; those of cameras have four bytes before it. */
const TRANSPORT_SYNC = 0x47
const TRANSPORT_PACKETS = [
  { first: 0, length: 188 },
  { first: 4, length: 192 },
] as const

/**
 * Names the container of a file that `sniffContainer` does not take, by its first bytes. Null: not one that is known by
 * name.
 */
export function nameForeignContainer(first: Uint8Array): string | null {
  const known = FOREIGN.find(({ at, bytes }) => bytes.every((byte, i) => first[at + i] === byte))
  if (known !== undefined) return known.name
  const isTransport = TRANSPORT_PACKETS.some(({ first: at, length }) =>
    [at, at + length, at + 2 * length].every((place) => first[place] === TRANSPORT_SYNC),
  )
  return isTransport ? 'MPEG-TS' : null
}

/** How files begin that are often given a video's name: documents, archives, images. */
const OTHER_BEGINNINGS = [
  [0x25, 0x50, 0x44, 0x46],
  [0x50, 0x4b, 0x03, 0x04],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
] as const

/** Controls that no text holds; tab, line feed, form feed, carriage return and escape are none of them. */
const isNoTextByte = (byte: number) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)

/**
 * Whether the first bytes of a file say for sure that it is no film or audio, but a page, a text, a document or an
 * image under another name. Text is any UTF-8 without control characters; other media always have some.
 */
export function isNoMedia(first: Uint8Array): boolean {
  if (OTHER_BEGINNINGS.some((magic) => magic.every((byte, i) => first[i] === byte))) return true
  if (first.some(isNoTextByte)) return false
  try {
    // The last character may be cut in two.
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(first, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Complete files have three or four boxes before the media; a fragmented one has thousands, each complete in itself. */
const MAX_BOXES = 12
/** EBML head and the segment's own head; writers pad neither beyond this. */
const EBML_HEAD_BYTES = 4096
const SEGMENT_ID = 0x18538067
/** Up to the end of the length, in the larger of its two layouts. */
const MOVIE_HEAD_BYTES = 40

/** What the outermost elements of a file say about it: a few range reads however large it is. */
interface MediaLayout {
  /**
   * Where the last of them ends. An upload or a recording that broke off before plays without any error up to that
   * place, and its index still promises the rest.
   */
  endsAt: number
  /** Length of the movie by an MP4's head; null in other files, and where it is left open (fragmented ones). */
  movieMs: number | null
}

async function readOuterBoxes(source: ByteWindow): Promise<MediaLayout> {
  const layout: MediaLayout = { endsAt: 0, movieMs: null }
  let count = 0
  for await (const box of readBoxes(source, 0, source.sizeBytes)) {
    if (box.name === 'moov') layout.movieMs = await readMovieMs(source, box.contentStart)
    layout.endsAt = box.end
    if (++count === MAX_BOXES) break
  }
  return layout
}

/** @see ISO/IEC 14496-12, 8.2.2 Movie Header Box; it comes first in its parent. */
async function readMovieMs(source: ByteWindow, at: number): Promise<number | null> {
  if (at + MOVIE_HEAD_BYTES > source.sizeBytes) return null
  const view = await readView(source, at, at + MOVIE_HEAD_BYTES)
  if (readHead(view, 0).name !== 'mvhd') return null
  const isLong = view.getUint8(8) === 1
  const timescale = view.getUint32(isLong ? 28 : 20)
  const duration = isLong ? Number(view.getBigUint64(32)) : view.getUint32(24)
  const isOpen = duration === 0 || timescale === 0 || duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1)
  return isOpen ? null : Math.round((duration / timescale) * 1000)
}

async function readSegment(source: ByteWindow): Promise<MediaLayout> {
  const open = { endsAt: 0, movieMs: null }
  const bytes = await source.read(0, Math.min(EBML_HEAD_BYTES, source.sizeBytes))
  const head = readSize(bytes, 4)
  if (head === null || head.size === null) return open
  const segmentAt = head.dataAt + head.size
  if (segmentAt + 4 > bytes.byteLength || viewOf(bytes).getUint32(segmentAt) !== SEGMENT_ID) return open
  const segment = readSize(bytes, segmentAt + 4)
  return segment === null || segment.size === null ? open : { ...open, endsAt: segment.dataAt + segment.size }
}

/** An EBML size; its own size is null when it is left open, as live recordings do. @see RFC 8794, 6 */
function readSize(bytes: Uint8Array, at: number): { size: number | null; dataAt: number } | null {
  const length = Math.clz32(bytes[at] ?? 0) - 23
  if (length > 8 || at + length > bytes.byteLength) return null
  let size = (bytes[at] ?? 0) & (0xff >> length)
  let isOpen = size === 0xff >> length
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0
    size = size * 256 + byte
    isOpen = isOpen && byte === 0xff
  }
  return { size: isOpen ? null : size, dataAt: at + length }
}

/** Indexes are a little off; less than this is no loss. */
const TOLERATED_MS = 5_000
const TOLERATED_SHARE = 0.02

/** Whether so much of a track is missing that the upload or the recording must have broken off. */
export function hasLostMuch({ lostMs, ofMs }: { lostMs: number; ofMs: number }): boolean {
  return lostMs > Math.max(TOLERATED_MS, TOLERATED_SHARE * ofMs)
}

/** Makes the fault of an incomplete file. @param what is incomplete, and what to do */
export function incomplete(what: string): MediaFault {
  return new MediaFault('truncated', `The video file is incomplete: ${what}`)
}

/** No training is as long as a day; what says so has a broken clock. */
const LONGEST_MS = 24 * 60 * 60_000

/** @throws {MediaFault} `unreadable` for a place in a video that cannot be */
export function checkPlace(ms: number): void {
  if (Math.abs(ms) <= LONGEST_MS) return
  throw new MediaFault('unreadable', 'The times in this file cannot be right. Export it again as MP4 or WebM.')
}
