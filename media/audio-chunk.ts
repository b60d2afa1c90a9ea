import type { AudioCodec } from 'mediabunny'
import type { AudioContentType } from './audio-formats.ts'

/** One packet of audio, or a few milliseconds of decoded audio, at its time in the video. */
export interface AudioPacket {
  startMs: number
  endMs: number
  bytes: Uint8Array
  /** See `PacketLoudness`. */
  loudness: number | null
}

/** A section of a video's audio, ready for the recogniser. Times are of the video, so nothing is ever added up. */
export interface AudioChunk {
  /** Counts from 0 through the whole file. */
  chunk: number
  /** Where the audio in `bytes` begins, overlap included. */
  audioStartMs: number
  audioDurationMs: number
  /** The span that this chunk answers for, from cut to cut; the spans of a file's chunks follow each other without a gap. */
  startMs: number
  endMs: number
  bytes: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
}

/** What a container's head says about the audio. */
export interface AudioConfig {
  codec: AudioCodec
  sampleRate: number
  channels: number
  /** What the decoder must know first, as in WebCodecs; null when the packets say it themselves. */
  description: Uint8Array | null
}
