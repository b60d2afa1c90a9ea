import { type InputAudioTrack, type InputVideoTrack } from 'mediabunny'
import { type AudioConfig, findAudioFormat, readAudioKind } from './audio-chunk.ts'
import { type ByteWindow, MediaFault } from './byte-window.ts'
import { endOfListed } from './iso-movie.ts'
import { incomplete, measureIsoMedia, measureSegment } from './measure-length.ts'
import { openIsoFeed, openIsoMovie, openMedia, readingMedia, TrackFeed } from './open-media.ts'
import { isIsoMedia, SNIFF_BYTES, sniffContainer, type VideoContainer } from './sniff-container.ts'

/** What a video is, as far as cutting its audio and knowing who can watch it needs. */
export interface MediaFacts {
  /** When its first picture or sound is played: 0, or the place that a recording was cut out at. Times count from there. */
  startMs: number
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
 * Reads what a video is from its index, without its content. Costs a few range reads; where the length is nowhere but in
 * the content (WebM as recorded by a browser, fragmented MP4) it is read through once.
 * @param knownDurationMs what an earlier call found, so that such a file is not read through again
 * @throws {MediaFault} `unreadable` or `truncated`; what the window's storage throws is passed on
 */
export async function readMediaFacts(source: ByteWindow, knownDurationMs: number | null = null): Promise<MediaFacts> {
  return readingMedia(source, async () => {
    const container = await readContainer(source)
    const input = openMedia(source)
    const tracks = await input.getTracks()
    if (tracks.length === 0) {
      throw incomplete('its index is missing. Upload it again, or make a new recording.')
    }
    const { startMs, durationMs } = isIsoMedia(container)
      ? await measureIsoMedia(source, knownDurationMs)
      : await measureSegment(source, { tracks, knownDurationMs })
    const track = await input.getPrimaryAudioTrack()
    const codec = await track?.getCodec()
    const isCarried = findAudioFormat(codec ?? null) !== null
    const unsupportedAudio = track === null || isCarried ? null : (codec?.toUpperCase() ?? 'an unknown format')
    const audio = track !== null && isCarried ? await readAudioFacts(source, track, { container, startMs }) : null
    const picture = await input.getPrimaryVideoTrack()
    const videoCodec = picture && (await readVideoCodec(picture))
    return { startMs, durationMs, container, audio, unsupportedAudio, hasVideo: picture !== null, videoCodec }
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
  { container, startMs }: Pick<MediaFacts, 'container' | 'startMs'>,
): Promise<AudioFacts | null> {
  const kind = await readAudioKind(track)
  if (kind === null) return null
  const { codec, sampleRate, channels } = kind.config
  const pcm = { trackId: track.id, isPcm: kind.format.loudness === null }
  const feed = (isIsoMedia(container) ? await openIsoFeed(source, pcm) : null) ?? new TrackFeed(track)
  // Some recorders declare a track of audio and never write to it.
  if ((await feed.seek(0)) === null) return null
  const movie = isIsoMedia(container) ? await openIsoMovie(source) : null
  const listed = movie?.isFragmented === false ? movie.tracks.find(({ id }) => id === track.id) : undefined
  return {
    codec,
    sampleRate,
    channels,
    declaredEndMs: listed === undefined ? null : Math.round(endOfListed(listed)) - startMs,
  }
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
