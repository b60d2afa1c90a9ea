import { describe, expect, it } from 'vitest'
import { decodeCaptions } from './decode-captions.ts'

describe('decodeCaptions', () => {
  it.each([
    ['UTF-8', [0xc3, 0xa9], 'é'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
    ['UTF-16 little endian', [0xff, 0xfe, 0xe9, 0x00], 'é'],
    ['UTF-16 big endian', [0xfe, 0xff, 0x00, 0xe9], 'é'],
    ['Windows-1252', [0x93, 0xe9, 0x94], '“é”'],
  ])('reads %s', (_name, bytes, text) => {
    expect(decodeCaptions(new Uint8Array(bytes))).toBe(text)
  })
})
