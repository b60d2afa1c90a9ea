import type { AudioConfig, AudioPacket } from './audio-chunk.ts'
import type { AudioFormat } from './audio-formats.ts'
import { joinBytes } from './join-bytes.ts'
import { writeM4a } from './write-m4a.ts'
import { writeOgg } from './write-ogg.ts'
import { writeWav } from './write-wav.ts'

/** Puts packets into a file of their own that begins at time zero. The same packets give the same bytes. */
export function writeChunk(
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
