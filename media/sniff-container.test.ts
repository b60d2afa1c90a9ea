import { describe, expect, it } from 'vitest'
import { sniffContainer } from './sniff-container.ts'
import { makeMedia, steadyPackets } from './testing/make-media.ts'

const text = (value: string) => new TextEncoder().encode(value)
const box = (name: string, brand = 'isom') => text(`\0\0\0\x18${name}${brand}\0\0\0\0more`)

describe('sniffContainer', () => {
  it.each([
    ['mp4', 'video/mp4'],
    ['fragmented', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
    ['live', 'video/webm'],
    ['mkv', 'video/x-matroska'],
  ] as const)('recognises a %s by its first bytes', async (container, type) => {
    const bytes = await makeMedia(container, steadyPackets(20))
    expect(sniffContainer(bytes.subarray(0, 64))).toBe(type)
  })

  it.each(['moov', 'mdat', 'wide', 'free', 'skip'])('takes a file that begins with %s for QuickTime', (name) => {
    expect(sniffContainer(box(name))).toBe('video/quicktime')
  })

  it.each([
    ['nothing', new Uint8Array(0)],
    ['a page', text('<!doctype html><html><head><title>Not a video</title></head></html>')],
    ['a PDF', text('%PDF-1.7 and what follows it in such a file')],
    ['zeros', new Uint8Array(64)],
    ['a box cut short', box('ftyp').subarray(0, 11)],
    ['an EBML head without doctype', new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1, 0, 0, 0])],
    ['another EBML format', new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84, ...text('aaaa')])],
  ])('knows %s is no video', (_, bytes) => {
    expect(sniffContainer(bytes)).toBeNull()
  })
})
