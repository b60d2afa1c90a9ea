import type { AudioPacket } from './audio-chunk.ts'
import { joinBytes } from './join-bytes.ts'
import { SPEECH_SAMPLE_RATE } from './pcm.ts'

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
  const section = Math.max(1, step) / PASSBAND
  const reach = Math.ceil(KERNEL_LOBES * section)
  const kernels = new Map<number, Float32Array>()
  const resampled = new Int16Array(Math.floor(samples.length / step))
  for (let i = 0; i < resampled.length; i++) {
    const center = Math.floor(i * step)
    // Rounded to a thousandth of a sample, so that every rate ends up with a small set of kernels.
    const phase = Math.round((i * step - center) * 1000)
    const kernel = kernels.get(phase) ?? makeKernel(phase / 1000, reach, section)
    kernels.set(phase, kernel)
    let sum = 0
    for (let k = 0; k < kernel.length; k++) sum += (kernel[k] ?? 0) * (samples[center + k - reach] ?? 0)
    resampled[i] = Math.max(-0x8000, Math.min(0x7fff, Math.round(sum)))
  }
  return resampled
}

function makeKernel(phase: number, reach: number, section: number): Float32Array {
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, k) => {
    const distance = (k - reach - phase) / section
    if (Math.abs(distance) >= KERNEL_LOBES) return 0
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / KERNEL_LOBES)
    return distance === 0 ? 1 : (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window
  })
  const gain = kernel.reduce((sum, value) => sum + value, 0)
  return kernel.map((value) => value / gain)
}

function writeHeader(view: DataView, dataBytes: number): void {
  writeAscii(view, 0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  writeAscii(view, 8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SPEECH_SAMPLE_RATE, true)
  view.setUint32(28, SPEECH_SAMPLE_RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  writeAscii(view, 36, 'data')
  view.setUint32(40, dataBytes, true)
}

function writeAscii(view: DataView, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i))
}
