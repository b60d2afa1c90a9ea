import {
  type AudioCodec,
  type EncodedPacket,
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  type InputTrack,
} from 'mediabunny'
import { findAudioFormat } from './audio-formats.ts'
import type { ByteWindow } from './byte-window.ts'
import { checkPlace } from './longest-video.ts'
import { MediaFault } from './media-fault.ts'
import { isPossibleAudio } from './open-audio.ts'
import { openAudioIndex, openMedia, readingMedia } from './open-media.ts'
import { readLayout } from './read-layout.ts'
import { isIsoMedia, SNIFF_BYTES, sniffContainer, type VideoContainer } from './sniff-container.ts'
import { hasLostMuch, truncated } from './truncated.ts'

/** What a video is, as far as cutting its audio needs to know. */
export interface MediaFacts {
  /** Length of the whole video: its longest track. */
  durationMs: number
  container: VideoContainer
  /** The main track of audio; null when there is none, or none that we can carry. */
  audio: AudioFacts | null
  /** Name of the main track's format when we cannot carry it; null otherwise. Captions make such a video usable. */
  unsupportedAudio: string | null
  hasVideo: boolean
}

export interface AudioFacts {
  codec: AudioCodec
  sampleRate: number
  channels: number
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
    const { missingBytes, movieMs } = await readLayout(source, container)
    const input = openMedia(source)
    const tracks = await input.getTracks()
    if (tracks.length === 0) {
      throw truncated('The video file is incomplete: its index is missing. Upload it again, or make a new recording.')
    }
    const durationMs = movieMs ?? knownDurationMs ?? (await readDurationMs(input, tracks))
    checkPlace(durationMs)
    const lostMs = (durationMs * missingBytes) / (missingBytes + source.sizeBytes)
    if (hasLostMuch({ lostMs, ofMs: durationMs })) {
      throw truncated(
        `The video file is incomplete: ${asPercent(source.sizeBytes, missingBytes)} of it arrived. Upload it again.`,
      )
    }
    const track = await input.getPrimaryAudioTrack()
    const unsupportedAudio = track === null ? null : await nameUnsupported(track)
    const audio = track === null || unsupportedAudio !== null ? null : await readAudioFacts(source, track, container)
    const hasVideo = tracks.some((each) => each.type === 'video')
    return { durationMs, container, audio, unsupportedAudio, hasVideo }
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
  const [codec, sampleRate, channels] = await Promise.all([
    track.getCodec(),
    track.getSampleRate(),
    track.getNumberOfChannels(),
  ])
  if (codec === null) return null
  if (!isPossibleAudio(sampleRate, channels))
    throw new MediaFault('unreadable', 'The audio of this file is damaged. Export it again as MP4.')
  const index = isIsoMedia(container) ? await openAudioIndex(source, track.id) : null
  // Some recorders declare a track of audio and never write to it.
  if (index === null ? (await findFirstPacket(track)) === null : index.count === 0) return null
  return { codec, sampleRate, channels, declaredEndMs: index === null ? null : Math.round(index.endMs) }
}

async function nameUnsupported(track: InputAudioTrack): Promise<string | null> {
  const codec = await track.getCodec()
  if (findAudioFormat(codec) !== null) return null
  return codec?.toUpperCase() ?? 'an unknown format'
}

async function findFirstPacket(track: InputAudioTrack): Promise<EncodedPacket | null> {
  return new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })
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

function asPercent(presentBytes: number, missingBytes: number): string {
  return `${Math.floor((100 * presentBytes) / (presentBytes + missingBytes))} %`
}
