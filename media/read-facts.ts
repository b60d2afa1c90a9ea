import type { Input, InputTrack, InputVideoTrack } from 'mediabunny'
import type { AudioConfig } from './audio-chunk.ts'
import { type AudioTrack, describeTracks } from './audio-tracks.ts'
import { type ChosenAudio, chooseAudio, openFeed } from './choose-track.ts'
import { incomplete, measureIsoMedia, measureSegment } from './measure-length.ts'
import { openIsoMovie, openMedia, readingMedia } from './open-media.ts'
import { isIsoMedia, SNIFF_BYTES, sniffContainer, type VideoContainer } from './sniff-container.ts'
import { type ByteWindow, MediaFault } from './source/byte-window.ts'

/** What a video is, as far as cutting its audio and knowing who can watch it needs. */
export interface MediaFacts {
  /** When its first picture or audio is played: 0, or the place that a recording was cut out at. Times count from there. */
  startMs: number
  /** Length of the whole video: its longest track. */
  durationMs: number
  container: VideoContainer
  /** The chosen track of audio; null when there is none, or none that we can carry. */
  audio: AudioFacts | null
  /** Tracks between which their words are to decide, with `audio` first; empty where it is decided. */
  candidates: readonly AudioFacts[]
  /** The tracks of audio that can be carried, from which people choose; empty where there are fewer than two. */
  audioTracks: readonly AudioTrack[]
  /** Name of the main track's format when none can be carried; null otherwise. Captions make such a video usable. */
  unsupportedAudio: string | null
  hasVideo: boolean
  /** Codec string of the main picture, such as `avc1.64001f`, or what its container calls it; null without either. */
  videoCodec: string | null
}

export interface AudioFacts extends Omit<AudioConfig, 'description'> {
  /** The one of its tracks that is cut. */
  trackId: number
  /** Those that are cut with it, because other speakers have them; usually none. */
  speakerIds: number[]
}

/**
 * Reads what a video is from its index, without its content. Costs a few range reads; where the length is nowhere but in
 * the content (WebM as recorded by a browser, fragmented MP4) it is read through once. Of several tracks of audio, each
 * is looked at in eight places.
 * @param knownDurationMs what an earlier call found, so that such a file is not read through again
 * @param chosenId the track of audio that a person has chosen; another one is taken where it cannot be carried
 * @throws {MediaFault} `unreadable`, `truncated` or `encrypted`; what the window's storage throws is passed on
 */
export async function readMediaFacts(
  source: ByteWindow,
  knownDurationMs: number | null = null,
  chosenId: number | null = null,
): Promise<MediaFacts> {
  return readingMedia(source, async () => {
    const container = await readContainer(source)
    // Before mediabunny, which stumbles over it.
    if (isIsoMedia(container)) await refuseEncrypted(source)
    const input = openMedia(source)
    const tracks = await input.getTracks()
    if (tracks.length === 0) {
      throw incomplete('its index is missing. Upload it again, or make a new recording.')
    }
    const { startMs, durationMs } = await measure(source, { container, tracks, knownDurationMs })
    const { chosen, candidates, readable } = await chooseAudio(source, input, {
      container,
      startMs,
      durationMs,
      chosenId,
    })
    const audio = chosen && (await readAudioFacts(source, chosen, container))
    const audioTracks = readable.length > 1 ? await describeTracks(readable.map(({ track }) => track)) : []
    const unsupportedAudio = chosen === null ? await nameAudio(input) : null
    const picture = await input.getPrimaryVideoTrack()
    const videoCodec = picture && (await readVideoCodec(picture))
    const hasVideo = picture !== null
    const ofAudio = {
      audio,
      candidates: candidates.map((each) => toAudioFacts({ ...each, speakerIds: [] })),
      audioTracks,
      unsupportedAudio,
    }
    return { startMs, durationMs, container, ...ofAudio, hasVideo, videoCodec }
  })
}

/**
 * Reads when a video's first picture or audio is played, as `startMs` of its facts, without measuring anything else.
 * @throws as `readMediaFacts` does
 */
export async function readStart(source: ByteWindow): Promise<number> {
  return readingMedia(source, async () => {
    const container = await readContainer(source)
    const tracks = await openMedia(source).getTracks()
    return (await measure(source, { container, tracks, knownDurationMs: 0 })).startMs
  })
}

async function refuseEncrypted(source: ByteWindow): Promise<void> {
  const movie = await openIsoMovie(source)
  if (movie?.tracks.some(({ isEncrypted }) => isEncrypted) !== true) return
  throw new MediaFault(
    'encrypted',
    'This video is protected against copying. Export it without copy protection and upload it again.',
  )
}

interface Measured {
  container: VideoContainer
  tracks: readonly InputTrack[]
  knownDurationMs: number | null
}

function measure(source: ByteWindow, { container, ...measured }: Measured) {
  return isIsoMedia(container) ? measureIsoMedia(source, measured.knownDurationMs) : measureSegment(source, measured)
}

async function readContainer(source: ByteWindow): Promise<VideoContainer> {
  const first = source.sizeBytes === 0 ? null : await source.read(0, Math.min(SNIFF_BYTES, source.sizeBytes))
  const container = first === null ? null : sniffContainer(first)
  if (container !== null) return container
  const what = first === null ? 'This file is empty.' : 'This file is not an MP4, MOV, WebM or MKV video.'
  throw new MediaFault('unreadable', `${what} Choose the video file and upload it again.`)
}

/** Why there is no audio that can be carried on: what it is in; null where there is none at all. */
async function nameAudio(input: Input): Promise<string | null> {
  const track = await input.getPrimaryAudioTrack()
  if (track === null) return null
  const name = (await track.getCodec()) ?? (await track.getInternalCodecId())
  return (typeof name === 'string' && CODEC_NAME.exec(name)?.[0].trim().toUpperCase()) || 'an unknown format'
}

async function readAudioFacts(
  source: ByteWindow,
  { track, kind, speakerIds }: ChosenAudio,
  container: VideoContainer,
): Promise<AudioFacts | null> {
  const feed = await openFeed(source, { track, kind }, container)
  // Some recorders declare a track of audio and never write to it.
  return (await feed.seek(0)) === null ? null : toAudioFacts({ track, kind, speakerIds })
}

function toAudioFacts({ track, kind: { config }, speakerIds }: ChosenAudio): AudioFacts {
  const { codec, sampleRate, channels } = config
  return { trackId: track.id, speakerIds, codec, sampleRate, channels }
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
