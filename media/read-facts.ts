import { EncodedPacketSink, type Input, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import { type AudioConfig, findAudioFormat, readAudioKind } from './audio-chunk.ts'
import { type ByteWindow, MediaFault, viewOf } from './byte-window.ts'
import { readBoxes, readHead, readView } from './iso-boxes.ts'
import { openAudioIndex, openMedia, readingMedia } from './open-media.ts'
import { isIsoMedia, SNIFF_BYTES, sniffContainer, type VideoContainer } from './sniff-container.ts'

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
