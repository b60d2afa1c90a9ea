import { expect, it } from 'vitest'
import type { AudioKind } from './audio-chunk.ts'
import { PacketSilence } from './packet-silence.ts'

const FLAC = { format: { loudness: () => 1 }, config: { codec: 'flac' } } as unknown as AudioKind

/** A frame of mono FLAC: its head, the value that all of its samples have, and a check sum. */
function frameOf(number: number, { count = [], content = [0, 0, 0] }: { count?: number[]; content?: number[] } = {}) {
  const code = count.length === 2 ? 0x70 : 0xc0
  return new Uint8Array([0xff, 0xf8, code, 0x08, number, ...count, 0x5a + number, ...content, number, 0x77])
}

it('takes frames of silent FLAC for silence, the shorter last one too', () => {
  const silence = new PacketSilence(FLAC)
  for (let number = 0; number < 17; number++) silence.add(frameOf(number))
  silence.add(frameOf(17, { count: [0x0f, 0xff] }))
  expect([silence.count, silence.activeCount]).toEqual([18, 0])
})

it('takes a frame with a sound in it for none', () => {
  const silence = new PacketSilence(FLAC)
  for (let number = 0; number < 9; number++) silence.add(frameOf(number))
  silence.add(frameOf(9, { content: [0x10, 0x22, 0x31, 0x44, 0x52] }))
  expect(silence.activeCount).toBe(1)
})
