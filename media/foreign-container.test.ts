import { describe, expect, it } from 'vitest'
import { nameForeignContainer } from './foreign-container.ts'
import { sniffContainer } from './sniff-container.ts'
import { makeMedia, steadyPackets } from './testing/make-media.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function transportStream({ first, length }: { first: number; length: number }): Uint8Array {
  return new Uint8Array(4 * length).fill(0xff).map((byte, at) => (at % length === first ? 0x47 : byte))
}

describe('nameForeignContainer', () => {
  it.each([
    ['AVI', bytesOf('RIFF\0\0\0\0AVI LIST')],
    ['WAV', bytesOf('RIFF\0\0\0\0WAVEfmt ')],
    ['MPEG', new Uint8Array([0, 0, 1, 0xba, 0x44, 0])],
    ['MPEG', new Uint8Array([0, 0, 1, 0xb3, 0x14, 0])],
    ['Windows Media (WMV)', new Uint8Array([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6])],
    ['Flash video (FLV)', bytesOf('FLV\u0001\u0005\0\0\0\t')],
    ['Ogg', bytesOf('OggS\0\u0002')],
    ['RealMedia', bytesOf('.RMF\0\0\0\u0012')],
    ['MXF', new Uint8Array([0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d])],
    ['MP3', bytesOf('ID3\u0004\0')],
    ['MPEG-TS', transportStream({ first: 0, length: 188 })],
    ['MPEG-TS', transportStream({ first: 4, length: 192 })],
  ])('knows %s, which Adapt cannot open', (name, bytes) => {
    expect(nameForeignContainer(bytes)).toBe(name)
    expect(sniffContainer(bytes)).toBeNull()
  })

  it.each([
    ['noise', Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)],
    ['nothing', new Uint8Array(0)],
    ['one packet that begins like a transport stream', bytesOf('Good morning')],
  ])('has no name for %s', (_, bytes) => {
    expect(nameForeignContainer(bytes)).toBeNull()
  })

  it.each(['mp4', 'mov', 'webm', 'mkv'] as const)('has no name for a %s', async (container) => {
    expect(nameForeignContainer(await makeMedia(container, steadyPackets(20)))).toBeNull()
  })
})
