import type { AudioCodec } from 'mediabunny'
import { type AudioConfig, type AudioPacket, joinBytes } from './audio-chunk.ts'

/** Every recogniser works at this rate; more only costs transfer. */
const SPEECH_SAMPLE_RATE = 16_000
/** Decoded audio is handled in pieces of this length, so that a cut can be placed as finely as between packets. */
const FRAME_MS = 20
const FULL_SCALE = 0x7fff

const LEAST_ENERGY = 2 ** -32
/** Loudness of a frame of nothing but zeros. */
export const PCM_ZERO = Math.log2(LEAST_ENERGY) / 2

type ReadSample = (view: DataView, offset: number) => number

interface PcmLayout {
  bytes: number
  /** −1 to 1. */
  read: ReadSample
}

const int24 = (high: number, middle: number, low: number) => ((high << 24) | (middle << 16) | (low << 8)) / 2 ** 31

const LAYOUTS: Partial<Record<AudioCodec, PcmLayout>> = {
  'pcm-s16': { bytes: 2, read: (view, offset) => view.getInt16(offset, true) / 2 ** 15 },
  'pcm-s16be': { bytes: 2, read: (view, offset) => view.getInt16(offset) / 2 ** 15 },
  'pcm-s24': {
    bytes: 3,
    read: (view, offset) => int24(view.getUint8(offset + 2), view.getUint8(offset + 1), view.getUint8(offset)),
  },
  'pcm-s24be': {
    bytes: 3,
    read: (view, offset) => int24(view.getUint8(offset), view.getUint8(offset + 1), view.getUint8(offset + 2)),
  },
  'pcm-s32': { bytes: 4, read: (view, offset) => view.getInt32(offset, true) / 2 ** 31 },
  'pcm-s32be': { bytes: 4, read: (view, offset) => view.getInt32(offset) / 2 ** 31 },
  'pcm-f32': { bytes: 4, read: (view, offset) => view.getFloat32(offset, true) },
  'pcm-f32be': { bytes: 4, read: (view, offset) => view.getFloat32(offset) },
  'pcm-f64': { bytes: 8, read: (view, offset) => view.getFloat64(offset, true) },
  'pcm-f64be': { bytes: 8, read: (view, offset) => view.getFloat64(offset) },
  'pcm-u8': { bytes: 1, read: (view, offset) => (view.getUint8(offset) - 128) / 128 },
  'pcm-s8': { bytes: 1, read: (view, offset) => view.getInt8(offset) / 128 },
  ulaw: { bytes: 1, read: (view, offset) => fromUlaw(view.getUint8(offset)) },
  alaw: { bytes: 1, read: (view, offset) => fromAlaw(view.getUint8(offset)) },
}

/** Decodes a packet of uncompressed audio to 16-bit mono at its own rate, in frames of 20 ms. */
export function decodePcm(bytes: Uint8Array, startMs: number, track: Omit<AudioConfig, 'description'>): AudioPacket[] {
  const layout = LAYOUTS[track.codec]
  if (layout === undefined) throw new Error(`${track.codec} is not PCM`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = Math.floor(bytes.byteLength / (layout.bytes * track.channels))
  const perFrame = Math.max(1, Math.round((track.sampleRate * FRAME_MS) / 1000))
  const frames: AudioPacket[] = []
  for (let first = 0; first < count; first += perFrame) {
    const samples = new Int16Array(Math.min(perFrame, count - first))
    const offset = first * layout.bytes * track.channels
    const weights = weigh(view, { offset, count: samples.length, channels: track.channels, layout })
    let energy = 0
    for (let i = 0; i < samples.length; i++) {
      const value = mixDown(view, offset + i * layout.bytes * track.channels, layout, weights)
      samples[i] = Math.max(-1, Math.min(1, value)) * FULL_SCALE
      energy += value * value
    }
    frames.push({
      startMs: startMs + (first * 1000) / track.sampleRate,
      endMs: startMs + ((first + samples.length) * 1000) / track.sampleRate,
      bytes: new Uint8Array(samples.buffer),
      // Half the logarithm of the energy: 1 is twice as loud. The floor is 16-bit silence.
      loudness: Math.log2(energy / samples.length + LEAST_ENERGY) / 2,
    })
  }
  return frames
}

function mixDown(view: DataView, offset: number, { bytes, read }: PcmLayout, weights: readonly number[]): number {
  let sum = 0
  for (let channel = 0; channel < weights.length; channel++) {
    const weight = weights[channel] ?? 0
    if (weight !== 0) sum += weight * read(view, offset + channel * bytes)
  }
  return sum
}

interface Frame {
  offset: number
  count: number
  channels: number
  layout: PcmLayout
}

/** Where speech is in films of five channels and more: left, right, centre. */
const CENTRE = 2
const SURROUND_CHANNELS = 5
/** Energy of a channel below this is silence; about −60 dB. */
const SILENT_ENERGY = 1e-6
/** Channels that have nothing to do with each other keep half of their energy, those that cancel each other less than this. */
const CANCELLED = 0.25

/**
 * Computes the weight of each channel: the centre if there is one, one channel if two cancel each other, otherwise the
 * mean.
 */
function weigh(view: DataView, { offset, count, channels, layout }: Frame): number[] {
  const mean = Array.from({ length: channels }, () => 1 / channels)
  const only = (one: number) => mean.map((_, channel) => (channel === one ? 1 : 0))
  if (channels === 1) return mean
  const energyOf = (weights: readonly number[]) => {
    let energy = 0
    for (let i = 0; i < count; i++) energy += mixDown(view, offset + i * channels * layout.bytes, layout, weights) ** 2
    return energy / count
  }
  if (channels >= SURROUND_CHANNELS) return energyOf(only(CENTRE)) > SILENT_ENERGY ? only(CENTRE) : mean
  if (channels !== 2) return mean
  const quieter = Math.min(energyOf([1, 0]), energyOf([0, 1]))
  return quieter > SILENT_ENERGY && energyOf(mean) < CANCELLED * quieter ? [1, 0] : mean
}

/** @see ITU-T G.711 */
function fromUlaw(byte: number): number {
  const code = ~byte & 0xff
  const magnitude = ((((code & 0x0f) << 3) + 0x84) << ((code >> 4) & 7)) - 0x84
  return (code & 0x80 ? -magnitude : magnitude) / 2 ** 15
}

/** @see ITU-T G.711 */
function fromAlaw(byte: number): number {
  const code = byte ^ 0x55
  const exponent = (code >> 4) & 7
  const mantissa = ((code & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (code & 0x80 ? magnitude : -magnitude) / 2 ** 15
}

const HEADER_BYTES = 44
/** Zero crossings of the low-pass kernel on each side: a stop band 50 dB down, which speech does not need. */
const KERNEL_LOBES = 8
/** Share of the new bandwidth that passes untouched; the rest is the filter's slope. */
const PASSBAND = 0.9

/** Joins 16-bit mono frames into a WAV file at the recogniser's rate. */
export function writeWav(frames: readonly AudioPacket[], sampleRate: number): Uint8Array<ArrayBuffer> {
  const samples = resample(new Int16Array(joinBytes(frames.map(({ bytes }) => bytes)).buffer), sampleRate)
  const bytes = new Uint8Array(HEADER_BYTES + samples.byteLength)
  writeHeader(new DataView(bytes.buffer), samples.byteLength)
  bytes.set(new Uint8Array(samples.buffer), HEADER_BYTES)
  return bytes
}

/** Windowed-sinc resampling; a kernel is made once for each distance that a new sample can have to the old ones. */
function resample(samples: Int16Array<ArrayBuffer>, fromRate: number): Int16Array<ArrayBuffer> {
  if (fromRate === SPEECH_SAMPLE_RATE) return samples
  const step = fromRate / SPEECH_SAMPLE_RATE
  // Of the kernel: old samples between two of its zero crossings.
  const scale = Math.max(1, step) / PASSBAND
  const reach = Math.ceil(KERNEL_LOBES * scale)
  const kernels = new Map<number, Float32Array>()
  const resampled = new Int16Array(Math.floor(samples.length / step))
  for (let i = 0; i < resampled.length; i++) {
    const center = Math.floor(i * step)
    // Rounded to a thousandth of a sample, so that every rate ends up with a small set of kernels.
    const phase = Math.round((i * step - center) * 1000)
    const kernel = kernels.get(phase) ?? makeKernel(phase / 1000, reach, scale)
    kernels.set(phase, kernel)
    let sum = 0
    for (let k = 0; k < kernel.length; k++) sum += (kernel[k] ?? 0) * (samples[center + k - reach] ?? 0)
    resampled[i] = Math.max(-0x8000, Math.min(0x7fff, Math.round(sum)))
  }
  return resampled
}

function makeKernel(phase: number, reach: number, scale: number): Float32Array {
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, k) => {
    const distance = (k - reach - phase) / scale
    if (Math.abs(distance) >= KERNEL_LOBES) return 0
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / KERNEL_LOBES)
    return distance === 0 ? 1 : (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window
  })
  const gain = kernel.reduce((sum, value) => sum + value, 0)
  return kernel.map((value) => value / gain)
}

function writeHeader(view: DataView, dataBytes: number): void {
  const bytes = new Uint8Array(view.buffer)
  const ascii = new TextEncoder()
  ascii.encodeInto('RIFF', bytes)
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  ascii.encodeInto('WAVEfmt ', bytes.subarray(8))
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SPEECH_SAMPLE_RATE, true)
  view.setUint32(28, SPEECH_SAMPLE_RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  ascii.encodeInto('data', bytes.subarray(36))
  view.setUint32(40, dataBytes, true)
}
