import type { InputAudioTrack } from 'mediabunny'
import { type AudioFormat, findAudioFormat } from './audio-formats.ts'
import type { AudioConfig, AudioPacket } from './audio-part.ts'
import type { PacketFeed } from './packet-feed.ts'
import { PacketQueue } from './packet-queue.ts'
import { writePart } from './write-part.ts'

/** What has to be known of a track of sound to cut it and to write it again. */
export interface SoundKind {
  format: AudioFormat
  config: AudioConfig
}

/** A track of sound that is being cut. */
export interface OpenSound {
  queue: PacketQueue
  /** Puts a run of the queue's packets into a file of their own. */
  write: (run: AudioPacket[]) => WrittenSound
}

/** A run of sound as a file of its own. Times are those of the track that it was cut from. */
export interface WrittenSound {
  audioStartMs: number
  audioDurationMs: number
  bytes: Uint8Array<ArrayBuffer>
  contentType: AudioFormat['contentType']
}

/** Half of what telephones have, and twice of what studios do; sound of another rate would be stretched without bounds. */
const RATE_MIN = 4_000
const RATE_MAX = 384_000
const CHANNELS_MAX = 255

/** Whether a track can be what it claims; anything else is a damaged file. */
export function isPossibleSound(sampleRate: number, channels: number): boolean {
  return sampleRate >= RATE_MIN && sampleRate <= RATE_MAX && channels >= 1 && channels <= CHANNELS_MAX
}

/** Finds out what a track is; null when there is none, or none that can be carried on. */
export async function readSoundKind(track: InputAudioTrack | null): Promise<SoundKind | null> {
  const codec = (await track?.getCodec()) ?? null
  const format = findAudioFormat(codec)
  const decoderConfig = await track?.getDecoderConfig()
  if (codec === null || format === null || !decoderConfig) return null
  const { sampleRate, numberOfChannels: channels, description } = decoderConfig
  if (!isPossibleSound(sampleRate, channels)) return null
  return {
    format,
    config: { codec, sampleRate, channels, description: description === undefined ? null : copyOf(description) },
  }
}

/** Opens a track for cutting. */
export function openSound(kind: SoundKind, feed: PacketFeed): OpenSound {
  return { queue: new PacketQueue({ feed, ...kind }), write: (run) => writeSound(kind, run) }
}

function writeSound({ format, config }: SoundKind, run: AudioPacket[]): WrittenSound {
  const beginMs = run[0]?.startMs ?? 0
  const endMs = run.at(-1)?.endMs ?? 0
  return {
    audioStartMs: Math.max(0, Math.round(beginMs)),
    audioDurationMs: Math.round(endMs - beginMs),
    bytes: writePart(format, config, run),
    contentType: format.contentType,
  }
}

function copyOf(description: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength).slice()
    : new Uint8Array(description.slice(0))
}
