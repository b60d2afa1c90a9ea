import type { InputAudioTrack } from 'mediabunny'
import type { AudioConfig, AudioPacket } from './audio-chunk.ts'
import { type AudioFormat, findAudioFormat } from './audio-formats.ts'
import type { PacketFeed } from './packet-feed.ts'
import { PacketQueue } from './packet-queue.ts'
import { writeChunk } from './write-chunk.ts'

/** What has to be known of a track of audio to cut it and to write it again. */
export interface AudioKind {
  format: AudioFormat
  config: AudioConfig
}

/** A track of audio that is being cut. */
export interface OpenAudio {
  queue: PacketQueue
  /** Puts a run of the queue's packets into a file of their own. */
  write: (run: AudioPacket[]) => WrittenAudio
}

/** A run of audio as a file of its own. Times are those of the track that it was cut from. */
export interface WrittenAudio {
  audioStartMs: number
  audioDurationMs: number
  bytes: Uint8Array<ArrayBuffer>
  contentType: AudioFormat['contentType']
}

/** Half of what telephones have, and twice of what studios do; audio of another rate would be stretched without bounds. */
const RATE_MIN = 4_000
const RATE_MAX = 384_000
const CHANNELS_MAX = 255

/** Whether a track can be what it claims; anything else is a damaged file. */
export function isPossibleAudio(sampleRate: number, channels: number): boolean {
  return sampleRate >= RATE_MIN && sampleRate <= RATE_MAX && channels >= 1 && channels <= CHANNELS_MAX
}

/** Finds out what a track is; null when there is none, or none that can be carried on. */
export async function readAudioKind(track: InputAudioTrack | null): Promise<AudioKind | null> {
  const codec = (await track?.getCodec()) ?? null
  const format = findAudioFormat(codec)
  const decoderConfig = await track?.getDecoderConfig()
  if (codec === null || format === null || !decoderConfig) return null
  const { sampleRate, numberOfChannels: channels, description } = decoderConfig
  if (!isPossibleAudio(sampleRate, channels)) return null
  return {
    format,
    config: { codec, sampleRate, channels, description: description === undefined ? null : copyOf(description) },
  }
}

/** Opens a track for cutting. */
export function openAudio(kind: AudioKind, feed: PacketFeed): OpenAudio {
  return { queue: new PacketQueue({ feed, ...kind }), write: (run) => writeAudio(kind, run) }
}

function writeAudio({ format, config }: AudioKind, run: AudioPacket[]): WrittenAudio {
  const beginMs = run[0]?.startMs ?? 0
  const endMs = run.at(-1)?.endMs ?? 0
  return {
    audioStartMs: Math.max(0, Math.round(beginMs)),
    audioDurationMs: Math.round(endMs - beginMs),
    bytes: writeChunk(format, config, run),
    contentType: format.contentType,
  }
}

function copyOf(description: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength).slice()
    : new Uint8Array(description.slice(0))
}
