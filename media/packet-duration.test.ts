import { expect, it } from 'vitest'
import type { AudioConfig } from './audio-chunk.ts'
import { measurePacketMs } from './packet-duration.ts'

const measure = (config: Partial<AudioConfig>, ...packet: number[]) =>
  measurePacketMs(
    { codec: 'opus', sampleRate: 48_000, channels: 2, description: null, ...config },
    Uint8Array.from(packet),
  )

it.each([
  ['SILK', 0, [10, 20, 40, 60]],
  ['the last of SILK', 8, [10, 20, 40, 60]],
  ['hybrid', 12, [10, 20, 10, 20]],
  ['CELT', 16, [2.5, 5, 10, 20]],
  ['the last of CELT', 28, [2.5, 5, 10, 20]],
])('reads the length of a frame of Opus from its kind: %s', (_, first, lengths) => {
  expect([0, 1, 2, 3].map((kind) => measure({}, (first + kind) << 3))).toEqual(lengths)
})

it('counts the frames of a packet of Opus', () => {
  const [TWO_ALIKE, TWO, MANY] = [1, 2, 3]
  expect([TWO_ALIKE, TWO].map((layout) => measure({}, 8 | layout))).toEqual([40, 40])
  expect(measure({}, 8 | MANY, 0xc0 | 33)).toBe(660)
  expect(measure({})).toBe(10)
})

it('reads the rate of AAC from its description, or from the head of each packet', () => {
  const described = (...bytes: number[]) => measure({ codec: 'aac', description: Uint8Array.from(bytes) })
  expect([described(0x12, 0x10), described(0x11, 0x90)]).toEqual([1_024_000 / 44_100, 1_024_000 / 48_000])
  expect([described(), described(0x12), described(0x17, 0x80)]).toEqual([null, null, null])
  expect(measure({ codec: 'aac' }, 0xff, 0xf1, 0x50)).toBe(1_024_000 / 44_100)
  expect([measure({ codec: 'aac' }, 0xfe, 0xf1, 0x50), measure({ codec: 'aac' }, 0xff, 0xe1, 0x50)]).toEqual([
    null,
    null,
  ])
})

it('reads the rate of MP3 from the head of a frame', () => {
  const mp3 = (version: number, rates: number) => measure({ codec: 'mp3' }, 0xff, version, rates)
  const [MPEG_1, MPEG_2, MPEG_2_5] = [0xfb, 0xf3, 0xe3]
  expect([mp3(MPEG_1, 0x90), mp3(MPEG_1, 0x94), mp3(MPEG_1, 0x98)]).toEqual([1_152_000 / 44_100, 24, 36])
  expect([mp3(MPEG_2, 0x94), mp3(MPEG_2_5, 0x94), mp3(MPEG_1, 0x9c)]).toEqual([24, 48, null])
})

it('measures FLAC by the samples of its frame, and takes what is no frame for nothing', () => {
  expect(measure({ codec: 'flac' }, 0xff, 0xf8, 0xc0, 0x08, 0, 0x5a, 0, 0, 0, 0, 0x77)).toBe(4_096_000 / 48_000)
  expect(measure({ codec: 'flac' }, 0)).toBe(0)
})

it('measures PCM by its bytes, and no codec whose packets do not say it', () => {
  const bytes = Array<number>(960).fill(0)
  expect(measure({ codec: 'pcm-s16' }, ...bytes)).toBe(5)
  expect(measure({ codec: 'pcm-f32', channels: 1 }, ...bytes)).toBe(5)
  expect((['ulaw', 'alaw'] as const).map((codec) => measure({ codec }, ...bytes))).toEqual([10, 10])
  expect(measure({ codec: 'vorbis' }, ...bytes)).toBeNull()
})
