import { describe, expect, it } from 'vitest'
import { aacGain, mp3Gain } from './packet-loudness.ts'

/** Packs bits given as [value, count]. */
function bits(...fields: [number, number][]): Uint8Array {
  const text = fields.map(([value, count]) => value.toString(2).padStart(count, '0')).join('')
  return Uint8Array.from(text.padEnd(800, '0').match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

const GAIN: [number, number] = [168, 8]
const SINGLE: [number, number][] = [
  [0, 3],
  [0, 4],
]

describe('aacGain', () => {
  it.each<[string, [number, number][]]>([
    ['one channel', SINGLE],
    [
      'two channels, each with its own window',
      [
        [1, 3],
        [0, 4],
        [0, 1],
      ],
    ],
    [
      'two channels with a common long window',
      [
        [1, 3],
        [0, 4],
        [1, 1],
        [0, 1],
        [0, 2],
        [0, 1],
        [40, 6],
        [0, 1],
        [0, 2],
      ],
    ],
    [
      'a mask for each band',
      [
        [1, 3],
        [0, 4],
        [1, 1],
        [0, 1],
        [0, 2],
        [0, 1],
        [5, 6],
        [0, 1],
        [1, 2],
        [21, 5],
      ],
    ],
    [
      'a mask for each group of short windows',
      [
        [1, 3],
        [0, 4],
        [1, 1],
        [0, 1],
        [2, 2],
        [0, 1],
        [3, 4],
        [0b1111011, 7],
        [1, 2],
        [5, 6],
      ],
    ],
    ['fill before the audio', [[6, 3], [2, 4], [0xffff, 16], ...SINGLE]],
    ['long fill before the audio', [[6, 3], [15, 4], [3, 8], [0, 17 * 8], ...SINGLE]],
    ['data before the audio', [[4, 3], [0, 4], [0, 1], [1, 8], [255, 8], ...SINGLE]],
  ])('reads the gain of %s', (_, head) => {
    expect(aacGain(bits(...head, GAIN))).toBe(42)
  })

  it.each<[string, Uint8Array]>([
    ['an empty packet', new Uint8Array(0)],
    ['the end of a packet', bits([7, 3])],
    ['a program description', bits([5, 3], [0, 40])],
  ])('does not take %s for silence or fails on it', (what, packet) => {
    expect(aacGain(packet)).toBe(what === 'an empty packet' ? 0 : null)
  })
})

describe('mp3Gain', () => {
  const granule = (gain: number, channels: number, sideBits: number): [number, number][] => [
    [300, 12],
    [0, 9],
    [gain, 8],
    [0, sideBits - 29],
    ...(channels === 2 ? ([[0, sideBits]] as [number, number][]) : []),
  ]

  it.each<[string, [number, number][]]>([
    ['MPEG-1, mono', [[0xfffb90c0, 32], [0, 18], ...granule(160, 1, 59), ...granule(176, 1, 59)]],
    ['MPEG-1, stereo', [[0xfffb9000, 32], [0, 20], ...granule(160, 2, 59), ...granule(176, 2, 59)]],
    [
      'MPEG-1, stereo with checksum',
      [[0xfffa9000, 32], [0xabcd, 16], [0, 20], ...granule(160, 2, 59), ...granule(176, 2, 59)],
    ],
    ['MPEG-2, mono', [[0xfff390c0, 32], [0, 9], ...granule(168, 1, 63)]],
    ['MPEG-2, stereo', [[0xfff39000, 32], [0, 10], ...granule(168, 2, 63)]],
  ])('reads the mean gain of a frame of %s', (_, fields) => {
    expect(mp3Gain(bits(...fields))).toBe(42)
  })

  it('takes a frame without content for silent, whatever gain it names', () => {
    const silence: [number, number][] = [
      [0, 21],
      [210, 8],
      [0, 30],
    ]
    expect(mp3Gain(bits([0xfffb90c0, 32], [0, 18], ...silence, ...silence))).toBe(0)
  })

  it.each([
    ['MPEG-1', 0xfffb9000, 20, 59, 2],
    ['MPEG-2', 0xfff39000, 10, 63, 1],
  ])('hears a voice that is in the second channel of %s alone', (_, head, privateBits, sideBits, granules) => {
    const voice: [number, number][] = [
      [300, 12],
      [0, 9],
      [168, 8],
      [0, sideBits - 29],
    ]
    const granule: [number, number][] = [[0, 12], [0, 9], [210, 8], [0, sideBits - 29], ...voice]
    expect(mp3Gain(bits([head, 32], [0, privateBits], ...Array(granules).fill(granule).flat()))).toBe(42)
  })

  it('says nothing about what is no frame', () => {
    expect(mp3Gain(new Uint8Array(40))).toBeNull()
  })
})
