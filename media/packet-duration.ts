import type { AudioConfig } from './audio-chunk.ts'
import { readFlacFrame } from './flac-frame.ts'

/** Milliseconds of a frame of Opus by its kind. @see RFC 6716, table 2 */
const OPUS_SILK_MS = [10, 20, 40, 60]
const OPUS_HYBRID_MS = [10, 20]
const OPUS_CELT_MS = [2.5, 5, 10, 20]
const OPUS_FIRST_HYBRID = 12
const OPUS_FIRST_CELT = 16
const OPUS_MANY_FRAMES = 3

/** @see ISO/IEC 14496-3, table 1.18 */
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const AAC_SAMPLES = 1_024

/** @see ISO/IEC 11172-3, 2.4.2.3; MPEG 2 has half of these rates, MPEG 2.5 a quarter */
const MP3_RATES = [44_100, 48_000, 32_000]
const MPEG_1 = 3
const MPEG_2 = 2
const MP3_SAMPLES = 576

/**
 * Measures how long a packet plays, by its own bytes and its decoder's configuration: the times that a container gives
 * its packets can be anything, and a recogniser does not heed them.
 * @returns null for a codec whose packets do not say
 */
export function measurePacketMs(config: AudioConfig, packet: Uint8Array): number | null {
  const { codec, sampleRate, channels, description } = config
  if (codec === 'opus') return measureOpusMs(packet)
  if (codec === 'aac') return measureAacMs(description === null ? readAdtsRate(packet) : readAacRate(description))
  if (codec === 'mp3') return measureMp3Ms(packet)
  if (codec === 'flac') return ((readFlacFrame(packet)?.samples ?? 0) * 1_000) / sampleRate
  const sampleBytes = codec === 'ulaw' || codec === 'alaw' ? 1 : Number(/^pcm-[a-z](\d+)/.exec(codec)?.[1]) / 8
  return sampleBytes > 0 ? (packet.byteLength * 1_000) / (sampleBytes * channels * sampleRate) : null
}

function measureOpusMs([head = 0, count = 0]: Uint8Array): number {
  const kind = head >> 3
  const frameMs =
    kind < OPUS_FIRST_HYBRID
      ? OPUS_SILK_MS[kind & 3]
      : kind < OPUS_FIRST_CELT
        ? OPUS_HYBRID_MS[kind & 1]
        : OPUS_CELT_MS[kind & 3]
  const layout = head & 3
  return (frameMs ?? 0) * (layout === 0 ? 1 : layout === OPUS_MANY_FRAMES ? count & 0x3f : 2)
}

/** Counts samples at the rate of the core: with SBR twice as many come out, at twice the rate. */
function measureAacMs(rate: number | undefined): number | null {
  return rate === undefined ? null : (AAC_SAMPLES * 1_000) / rate
}

function readAacRate([first, second]: Uint8Array): number | undefined {
  return first === undefined || second === undefined ? undefined : AAC_RATES[((first & 7) << 1) | (second >> 7)]
}

/** Without a description each packet is an ADTS frame, whose header has the rate. @see ISO/IEC 14496-3, 1.A.3.2 */
function readAdtsRate([sync, layer = 0, rates = 0]: Uint8Array): number | undefined {
  return sync === 0xff && (layer & 0xf6) === 0xf0 ? AAC_RATES[(rates >> 2) & 15] : undefined
}

function measureMp3Ms([, version = 0, rates = 0]: Uint8Array): number | null {
  const kind = (version >> 3) & 3
  const rate = MP3_RATES[(rates >> 2) & 3]
  if (rate === undefined) return null
  if (kind === MPEG_1) return (2 * MP3_SAMPLES * 1_000) / rate
  return (MP3_SAMPLES * 1_000) / (kind === MPEG_2 ? rate / 2 : rate / 4)
}
