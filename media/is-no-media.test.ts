import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNoMedia } from './is-no-media.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('isNoMedia', () => {
  it.each([
    ['a page', bytesOf('<!doctype html><title>Sign in to download</title>')],
    ['a document', bytesOf('%PDF-1.7\n\0\0')],
    ['an archive', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])],
    ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0x10])],
  ])('knows %s', (_, bytes) => {
    expect(isNoMedia(bytes)).toBe(true)
  })

  it.each([
    ['AVI', bytesOf('RIFF\0\0\0\0AVI LIST')],
    ['Windows Media', new Uint8Array([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])],
    ['an MPEG transport stream', new Uint8Array(188).fill(0xff).fill(0x47, 0, 1)],
    ['an MPEG program stream', new Uint8Array([0, 0, 1, 0xba, 0x44])],
    ['Flash video', bytesOf('FLV\x01\x05')],
    ['Ogg', bytesOf('OggS\0\x02')],
  ])('leaves %s to the server', (_, bytes) => {
    expect(isNoMedia(bytes)).toBe(false)
  })

  it('knows any text, wherever it is cut off', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 4 }).filter((each) => !/\p{Cc}/u.test(each))
    fc.assert(
      fc.property(text, fc.nat(3), (written, cutOff) => {
        const bytes = bytesOf(written)
        // A character of four bytes may be cut, not one that is followed by others.
        expect(isNoMedia(bytes.subarray(0, bytes.byteLength - Math.min(cutOff, 3)))).toBe(true)
      }),
    )
  })
})
