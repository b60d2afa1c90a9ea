import { describe, expect, it } from 'vitest'
import { readFlacFrame } from './flac-frame.ts'

/** A head with this code of its length, its number and what follows. */
const frame = (code: number, ...rest: number[]) => Uint8Array.from([0xff, 0xf8, code << 4, 0, ...rest])

describe('readFlacFrame', () => {
  it.each([
    ['code 1', frame(1, 0), 192],
    ['code 5', frame(5, 0), 4_608],
    ['code 12', frame(12, 0), 4_096],
    ['code 15', frame(15, 0), 32_768],
    ['one byte behind the number', frame(6, 0, 199), 200],
    ['two bytes behind the number', frame(7, 0, 0x03, 0xff), 1_024],
    ['two bytes behind a long number', frame(7, 0xe0, 0xa0, 0x80, 0x03, 0xff), 1_024],
    ['the reserved code', frame(0, 0), 0],
  ])('counts the samples of %s', (_, packet, samples) => {
    expect(readFlacFrame(packet)?.samples).toBe(samples)
  })

  it.each([
    [1, 0x7f],
    [2, 0xc2],
    [3, 0xe0],
    [4, 0xf0],
    [7, 0xfe],
  ])('knows a number of %i bytes by its first', (numberBytes, first) => {
    expect(readFlacFrame(frame(12, first))?.numberBytes).toBe(numberBytes)
  })

  it.each([
    ['nothing', []],
    ['a frame of MP3', [0xff, 0xfb, 0x90, 0]],
  ])('takes %s for no frame', (_, bytes) => {
    expect(readFlacFrame(Uint8Array.from(bytes))).toBeNull()
  })
})
