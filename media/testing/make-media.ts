import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { joinBytes } from '../audio-chunk.ts'

/** One packet of made-up audio. */
export interface MadePacket {
  startMs: number
  lengthMs: number
  loudness: number
}

const CONTAINERS = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  /** With its index behind the media. */
  late: () => new Mp4OutputFormat({ fastStart: false }),
  fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 1 }),
  /** All of it in one fragment. */
  unbroken: () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 3_600 }),
  mov: () => new MovOutputFormat({ fastStart: 'in-memory' }),
  webm: () => new WebMOutputFormat({ minimumClusterDuration: 1 }),
  live: () => new WebMOutputFormat({ minimumClusterDuration: 1, appendOnly: true }),
  mkv: () => new MkvOutputFormat({ minimumClusterDuration: 1 }),
}

export type MadeContainer = keyof typeof CONTAINERS

/** 16 kHz mono AAC-LC. */
const AAC_DESCRIPTION = new Uint8Array([0x14, 0x08])

/** What sample descriptions say of a picture: enough for its name, not to draw anything. */
const PICTURES = {
  avc: {
    codec: 'avc1.64001f',
    // High profile, level 3.1, one sequence and one picture parameter set.
    description: new Uint8Array([1, 0x64, 0, 0x1f, 0xff, 0xe1, 0, 4, 0x67, 0x64, 0, 0x1f, 1, 0, 2, 0x68, 0xee]),
  },
  hevc: {
    codec: 'hvc1.1.6.L93.B0',
    // Main profile, level 3.1, no parameter sets.
    description: new Uint8Array([
      1, 1, 0x60, 0, 0, 0, 0xb0, 0, 0, 0, 0, 0, 93, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, 0,
    ]),
  },
  vp9: { codec: 'vp09.00.10.08', description: undefined },
} as const

export type MadePicture = keyof typeof PICTURES

/** Tracks of audio with the same packets, and the bytes that are added to each packet. */
interface Extent {
  tracks?: number
  /** Further tracks with packets of their own. */
  others?: readonly MadePacket[][]
  paddingBytes?: number
}

/** Writes a file with audio: AAC in MP4 and MKV, Opus in WebM, 16-bit PCM in MOV; and a picture, if any. */
export async function makeMedia(
  container: MadeContainer,
  packets: readonly MadePacket[],
  picture?: MadePicture,
  { tracks = 1, others = [], paddingBytes = 0 }: Extent = {},
): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: CONTAINERS[container](), target })
  const codec = container === 'mov' ? 'pcm-s16' : container === 'webm' || container === 'live' ? 'opus' : 'aac'
  const audio = Array.from({ length: tracks + others.length }, () => new EncodedAudioPacketSource(codec))
  for (const track of audio) output.addAudioTrack(track)
  const frames = picture && new EncodedVideoPacketSource(picture)
  if (frames) output.addVideoTrack(frames)
  await output.start()
  if (picture) {
    const decoderConfig = { ...PICTURES[picture], codedWidth: 320, codedHeight: 180 }
    await frames?.add(new EncodedPacket(new Uint8Array(64).fill(1), 'key', 0, 1), { decoderConfig })
  }
  const placed = [...Array.from({ length: tracks }, () => packets), ...others].flatMap((list, track) =>
    list.map((packet) => ({ packet, track: audio[track] })),
  )
  for (const { packet, track } of placed.toSorted((a, b) => a.packet.startMs - b.packet.startMs)) {
    const bytes = joinBytes([PACKETS[codec](packet), new Uint8Array(paddingBytes)])
    const encoded = new EncodedPacket(bytes, 'key', packet.startMs / 1000, packet.lengthMs / 1000)
    await track?.add(encoded, { decoderConfig: CONFIGS[codec] })
  }
  await output.finalize()
  if (target.buffer === null) throw new Error('Nothing was written')
  return new Uint8Array(target.buffer)
}

/** Packets of 64 ms without a gap. */
export function steadyPackets(count: number, loudnessOf: (index: number) => number = () => 100): MadePacket[] {
  return Array.from({ length: count }, (_, i) => ({ startMs: i * 64, lengthMs: 64, loudness: loudnessOf(i) }))
}

const CONFIGS = {
  aac: { codec: 'mp4a.40.2', sampleRate: 16_000, numberOfChannels: 1, description: AAC_DESCRIPTION },
  opus: { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1 },
  'pcm-s16': { codec: 'pcm-s16', sampleRate: 16_000, numberOfChannels: 1 },
}

const PACKETS = { aac: aacPacket, opus: opusPacket, 'pcm-s16': pcmPacket }

/** A single channel element with the given gain; the rest has no meaning, but makes packets distinct. */
function aacPacket({ loudness, startMs }: MadePacket): Uint8Array {
  const packet = new Uint8Array(24)
  new DataView(packet.buffer).setFloat64(8, startMs)
  packet[0] = loudness >> 7
  packet[1] = (loudness << 1) & 0xff
  return packet
}

function opusPacket({ loudness, startMs }: MadePacket): Uint8Array {
  const packet = new Uint8Array(16 + loudness)
  new DataView(packet.buffer).setFloat64(8, startMs)
  // 60 ms of narrow-band speech, one frame.
  packet[0] = 0x18
  return packet
}

function pcmPacket({ loudness, lengthMs }: MadePacket): Uint8Array {
  const samples = new Int16Array(lengthMs * 16)
  for (let i = 0; i < samples.length; i++) samples[i] = (i % 2 === 0 ? 1 : -1) * loudness * 50
  return new Uint8Array(samples.buffer)
}
