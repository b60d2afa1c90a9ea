import type { AudioCodec } from 'mediabunny'
import type { AudioFormat } from './audio-formats.ts'
import type { AudioPacket } from './audio-part.ts'
import { joinBytes } from './join-bytes.ts'
import { writeM4a } from './write-m4a.ts'
import { writeOgg } from './write-ogg.ts'
import { writeWav } from './write-wav.ts'

/** What a container's head says about the sound. */
export interface AudioConfig {
  codec: AudioCodec
  sampleRate: number
  channels: number
  /** What the decoder must know first, as in WebCodecs; null when the packets say it themselves. */
  description: Uint8Array | null
}

/** Puts packets into a file of their own that begins at time zero. The same packets give the same bytes. */
export function writePart(
  format: AudioFormat,
  config: AudioConfig,
  packets: readonly AudioPacket[],
): Uint8Array<ArrayBuffer> {
  switch (format.container) {
    case 'wav':
      return writeWav(packets, config.sampleRate)
    case 'mp3':
      // An MP3 file is its frames, one after the other.
      return joinBytes(packets.map(({ bytes }) => bytes))
    case 'm4a':
      return writeM4a(config, packets)
    case 'ogg':
      return writeOgg(config, packets)
  }
}
