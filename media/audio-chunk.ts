import type { AudioCodec, InputAudioTrack } from 'mediabunny'
import { aacGain, mp3Gain } from './packet-loudness.ts'
import { MediaFault } from './source/byte-window.ts'

/** One packet of audio, or a few milliseconds of decoded audio, at its time in the video. */
export interface AudioPacket {
  startMs: number
  endMs: number
  bytes: Uint8Array
  /** See `PacketLoudness`. */
  loudness: number | null
}

/** A run of audio as a file of its own. Times are of the track that it was cut from, so nothing is ever added up. */
export interface WrittenAudio {
  /** Where the audio in `bytes` begins, overlap included. */
  audioStartMs: number
  audioDurationMs: number
  bytes: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
}

/** A section of a video's audio, ready for the recogniser. */
export interface AudioChunk extends WrittenAudio {
  /** Counts from 0 through the whole file. */
  chunk: number
  /** The span that this chunk answers for, from cut to cut; the spans of a file's chunks follow each other without a gap. */
  startMs: number
  endMs: number
}

/** What a container's head says about the audio. */
export interface AudioConfig {
  codec: AudioCodec
  sampleRate: number
  channels: number
  /** What the decoder must know first, as in WebCodecs; null when the packets say it themselves. */
  description: Uint8Array | null
}

/** What hosted recognisers take well, and short enough that many are transcribed at once. */
const CHUNK_MS = 30_000
/** The first chunks are short, so that the first step is there while most of the recording is being transcribed. */
const FIRST_CHUNKS_MS = [10_000, 20_000] as const

/** Returns the intended length of a chunk; the actual cut is moved to a quiet place. */
export function chunkMsAt(chunk: number): number {
  return FIRST_CHUNKS_MS[chunk] ?? CHUNK_MS
}

/** About how many chunks a recording makes; at least 1. */
export function estimateChunkCount(durationMs: number): number {
  const firstMs = FIRST_CHUNKS_MS.reduce((sum, ms) => sum + ms, 0)
  return Math.max(1, FIRST_CHUNKS_MS.length + Math.round((durationMs - firstMs) / CHUNK_MS))
}

/** What chunks of audio are stored and sent as. */
export type AudioContentType = 'audio/mp4' | 'audio/ogg' | 'audio/mpeg' | 'audio/wav'

/** How the audio of one codec travels on to the recogniser. */
export interface AudioFormat {
  contentType: AudioContentType
  /** How loud a packet is, on a scale of its own; null when packets of this codec are decoded first. */
  loudness: PacketLoudness | null
}

const PCM_FORMAT: AudioFormat = { contentType: 'audio/wav', loudness: null }

/**
 * The one place that says which container carries which codec. Packets are copied, never transcoded; PCM, which would
 * be 5.8 MB for half a minute, is mixed down to 16 kHz mono. AAC does not go into WebM.
 */
const FORMATS: Partial<Record<AudioCodec, AudioFormat>> = {
  aac: { contentType: 'audio/mp4', loudness: aacGain },
  flac: { contentType: 'audio/mp4', loudness: packetSize },
  opus: { contentType: 'audio/ogg', loudness: packetSize },
  vorbis: { contentType: 'audio/ogg', loudness: packetSize },
  mp3: { contentType: 'audio/mpeg', loudness: mp3Gain },
}

/** The format for a codec; null when it cannot be carried. */
export function findAudioFormat(codec: AudioCodec | null): AudioFormat | null {
  if (codec === null) return null
  if (codec.startsWith('pcm-') || codec === 'ulaw' || codec === 'alaw') return PCM_FORMAT
  return FORMATS[codec] ?? null
}

/** Facts of an audio track that cutting and writing it need. */
export interface AudioKind {
  format: AudioFormat
  config: AudioConfig
}

/** Half of what telephones have, and twice of what studios do; audio of another rate would grow without bounds when it is resampled. */
const RATE_MIN = 4_000
const RATE_MAX = 384_000
const CHANNELS_MAX = 255

/**
 * Finds out what a track is; null when there is none, or none that can be carried on.
 * @throws {MediaFault} `unreadable` for a track that cannot be what it claims
 */
export async function readAudioKind(track: InputAudioTrack | null): Promise<AudioKind | null> {
  const codec = (await track?.getCodec()) ?? null
  const format = findAudioFormat(codec)
  const decoderConfig = await track?.getDecoderConfig()
  if (codec === null || format === null || !decoderConfig) return null
  const { sampleRate, numberOfChannels: channels, description } = decoderConfig
  if (!(sampleRate >= RATE_MIN && sampleRate <= RATE_MAX && channels >= 1 && channels <= CHANNELS_MAX)) {
    throw new MediaFault('unreadable', 'The audio of this file is damaged. Export it again as MP4.')
  }
  return {
    format,
    config: { codec, sampleRate, channels, description: description === undefined ? null : copyOf(description) },
  }
}

function copyOf(description: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength).slice()
    : new Uint8Array(description.slice(0))
}

/** How loud a packet is, without decoding it; only comparable within one track. Null when its header does not say. */
type PacketLoudness = (packet: Uint8Array) => number | null

/** With a variable bit rate a quieter packet is shorter. With a constant one all are equal. */
function packetSize(packet: Uint8Array): number {
  return Math.log2(1 + packet.byteLength)
}

/** Concatenates pieces of bytes. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.byteLength
  }
  return joined
}
