import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import type { AudioConfig, AudioContentType, AudioPacket } from '../audio-chunk.ts'
import { writeChunk } from '../write-chunk.ts'

/** A chunk as a recogniser gets it, with what it was made from. */
export interface MadeChunk {
  audio: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
  durationMs: number
  packets: AudioPacket[]
}

interface Kind {
  config: AudioConfig
  packetMs: number
  makeBytes: (loudness: number) => Uint8Array
  /** Where a packet has room for its number. */
  numberAt: number
}

const KINDS: Record<AudioContentType, Kind> = {
  'audio/mp4': {
    config: { codec: 'aac', sampleRate: 16_000, channels: 1, description: new Uint8Array([0x14, 0x08]) },
    packetMs: 64,
    // A single channel element with the given gain.
    makeBytes: (loudness) => new Uint8Array(300).fill(loudness >> 7, 0, 1).fill((loudness << 1) & 0xff, 1, 2),
    numberAt: 8,
  },
  'audio/ogg': {
    config: { codec: 'opus', sampleRate: 48_000, channels: 1, description: null },
    packetMs: 60,
    // 60 ms of narrow-band speech, one frame.
    makeBytes: (loudness) => new Uint8Array(12 + loudness).fill(0x18, 0, 1),
    numberAt: 4,
  },
  'audio/mpeg': {
    config: { codec: 'mp3', sampleRate: 48_000, channels: 1, description: null },
    packetMs: 24,
    // MPEG 1, layer 3, 128 kbit/s, mono; the gain of both granules is nine bits in.
    makeBytes: (loudness) => makeMp3Frame(loudness),
    numberAt: 200,
  },
  'audio/wav': {
    config: { codec: 'pcm-s16', sampleRate: 16_000, channels: 1, description: null },
    packetMs: 20,
    makeBytes: (loudness) =>
      new Uint8Array(Int16Array.from({ length: 320 }, (_, i) => (i % 2 === 0 ? 1 : -1) * loudness * 50).buffer),
    numberAt: 0,
  },
}

function makeMp3Frame(loudness: number): Uint8Array {
  const frame = new Uint8Array(384)
  frame.set([0xff, 0xfb, 0x94, 0xc0])
  // After the head: 18 bits, then granules of 59 bits: the length of their content in 12, their gain from the 22nd on.
  for (const granule of [0, 1]) {
    const lastOfLength = 32 + 18 + granule * 59 + 11
    frame[lastOfLength >> 3] = (frame[lastOfLength >> 3] ?? 0) | (1 << (7 - (lastOfLength & 7)))
    for (let bit = 0; bit < 8; bit++) {
      const at = 32 + 18 + granule * 59 + 21 + bit
      frame[at >> 3] = (frame[at >> 3] ?? 0) | (((loudness >> (7 - bit)) & 1) << (7 - (at & 7)))
    }
  }
  return frame
}

export const CHUNK_TYPES = Object.keys(KINDS) as AudioContentType[]

/** Writes a part of each given loudness for one packet; every packet knows its number (but for PCM). */
export function makeChunk(contentType: AudioContentType, loudnesses: readonly number[]): MadeChunk {
  const { config, packetMs, makeBytes, numberAt } = KINDS[contentType]
  const packets = loudnesses.map((loudness, i) => {
    const bytes = makeBytes(loudness)
    if (contentType !== 'audio/wav') new DataView(bytes.buffer).setUint32(numberAt, i)
    return { startMs: i * packetMs, endMs: (i + 1) * packetMs, bytes, loudness: null }
  })
  return {
    audio: writeChunk(contentType, config, packets),
    contentType,
    durationMs: Math.round(packets.length * packetMs),
    packets,
  }
}

/** Length of one packet of `makeChunk`. */
export function packetMsOf(contentType: AudioContentType): number {
  return KINDS[contentType].packetMs
}

/** The packets of a file, in their order. */
export async function readPackets(file: Uint8Array): Promise<Uint8Array[]> {
  using input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS })
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw new Error('No track of audio')
  const packets: Uint8Array[] = []
  for await (const { data } of new EncodedPacketSink(track).packets()) packets.push(data)
  return packets
}

/** The number that `makeChunk` gave a packet. */
export function numberOf(contentType: AudioContentType, packet: Uint8Array): number {
  return new DataView(packet.buffer, packet.byteOffset).getUint32(KINDS[contentType].numberAt)
}
