import type { AudioCodec } from 'mediabunny'
import { aacGain, mp3Gain, type PacketLoudness, packetSize } from './packet-loudness.ts'

/** What chunks of audio are stored and sent as. */
export type AudioContentType = 'audio/mp4' | 'audio/ogg' | 'audio/mpeg' | 'audio/wav'

/** How the audio of one codec travels on to the recogniser. */
export interface AudioFormat {
  container: 'm4a' | 'ogg' | 'mp3' | 'wav'
  contentType: AudioContentType
  /** How loud a packet is, on a scale of its own; null when packets of this codec are decoded first. */
  loudness: PacketLoudness | null
}

const PCM_FORMAT: AudioFormat = { container: 'wav', contentType: 'audio/wav', loudness: null }

/**
 * The one place that says which container carries which codec. Packets are copied, never transcoded; PCM, which would
 * be 5.8 MB for half a minute, is mixed down to 16 kHz mono. AAC does not go into WebM.
 */
const FORMATS: Partial<Record<AudioCodec, AudioFormat>> = {
  aac: { container: 'm4a', contentType: 'audio/mp4', loudness: aacGain },
  opus: { container: 'ogg', contentType: 'audio/ogg', loudness: packetSize },
  vorbis: { container: 'ogg', contentType: 'audio/ogg', loudness: packetSize },
  mp3: { container: 'mp3', contentType: 'audio/mpeg', loudness: mp3Gain },
}

/** The format for a codec; null when it cannot be carried. */
export function findAudioFormat(codec: AudioCodec | null): AudioFormat | null {
  if (codec === null) return null
  if (codec.startsWith('pcm-') || codec === 'ulaw' || codec === 'alaw') return PCM_FORMAT
  return FORMATS[codec] ?? null
}
