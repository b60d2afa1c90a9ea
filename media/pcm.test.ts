import { describe, expect, it } from 'vitest'
import { decodePcm, writeWav } from './pcm.ts'

const SECOND_MS = 1000

/** A tone as 16-bit stereo, the left channel at full level and the right one silent. */
function stereoTone(hertz: number, sampleRate: number): Uint8Array {
  const samples = new Int16Array(sampleRate * 2)
  for (let i = 0; i < sampleRate; i++)
    samples[2 * i] = Math.round(32_000 * Math.sin((2 * Math.PI * hertz * i) / sampleRate))
  return new Uint8Array(samples.buffer)
}

/** Level of a tone in a WAV file, leaving out what the filter smears at both ends. */
function levelOf(hertz: number, wav: Uint8Array<ArrayBuffer>): number {
  const samples = new Int16Array(wav.buffer, 44).subarray(1000, 15_000)
  let [re, im] = [0, 0]
  for (const [i, sample] of samples.entries()) {
    re += sample * Math.cos((2 * Math.PI * hertz * i) / 16_000)
    im += sample * Math.sin((2 * Math.PI * hertz * i) / 16_000)
  }
  return (2 * Math.hypot(re, im)) / samples.length
}

const track = (sampleRate: number) => ({ codec: 'pcm-s16', sampleRate, channels: 2 }) as const

describe('PCM to speech WAV', () => {
  it.each([16_000, 22_050, 44_100, 48_000, 96_000, 8000])('keeps a tone of speech from %i Hz', (rate) => {
    const wav = writeWav(decodePcm(stereoTone(1000, rate), 0, track(rate)), rate)
    // Two channels, one of them silent: half of the level.
    expect(levelOf(1000, wav)).toBeGreaterThan(15_500)
    expect(levelOf(1000, wav)).toBeLessThan(16_500)
    expect(Math.abs((wav.byteLength - 44) / 32 - SECOND_MS)).toBeLessThanOrEqual(1)
  })

  it('lets nothing above the new bandwidth fold back into speech', () => {
    const wav = writeWav(decodePcm(stereoTone(11_000, 48_000), 0, track(48_000)), 48_000)
    expect(levelOf(5000, wav)).toBeLessThan(100)
  })

  it('times its frames by the packet and the rate', () => {
    const frames = decodePcm(stereoTone(100, 44_100), 5000, track(44_100))
    expect(frames).toHaveLength(50)
    expect(frames[10]?.startMs).toBeCloseTo(5200, 6)
    expect(frames.at(-1)?.endMs).toBeCloseTo(6000, 6)
  })

  it('measures silence as much quieter than audio', () => {
    const [silence] = decodePcm(new Uint8Array(4000), 0, track(48_000))
    const [audio] = decodePcm(stereoTone(500, 48_000), 0, track(48_000))
    expect((audio?.loudness ?? 0) - (silence?.loudness ?? 0)).toBeGreaterThan(5)
  })

  it.each([
    ['pcm-s16be', [0x40, 0]],
    ['pcm-s24', [0, 0, 0x40]],
    ['pcm-s24be', [0x40, 0, 0]],
    ['pcm-s32', [0, 0, 0, 0x40]],
    ['pcm-s32be', [0x40, 0, 0, 0]],
    ['pcm-f32', [0, 0, 0, 0x3f]],
    ['pcm-f32be', [0x3f, 0, 0, 0]],
    ['pcm-u8', [0xc0]],
    ['pcm-s8', [0x40]],
    // G.711: the largest step below half of the scale lies within 3 % of it.
    ['ulaw', [0x8f]],
    ['alaw', [0xa5]],
  ] as const)('reads half of the scale from %s', (codec, bytes) => {
    const [frame] = decodePcm(Uint8Array.from(bytes), 0, { codec, sampleRate: 16_000, channels: 1 })
    const [sample = 0] = new Int16Array(frame?.bytes.buffer ?? new ArrayBuffer(2))
    expect(Math.abs(sample / 0x8000 - 0.5)).toBeLessThan(0.03)
  })
})
