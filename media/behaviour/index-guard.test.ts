// Behaviour: an index that claims more than it holds ends a reading at once.
import { MP4 } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { ClaimGuard, openBytes } from '../open-media.ts'
import { readMediaFacts } from '../read-facts.ts'
import { pickMedia } from '../testing/cut-all.ts'
import { makeChunk } from '../testing/make-chunk.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'

const MANY = 0xffff_ffff
const REFUSED = { code: 'unreadable', message: expect.stringContaining('damaged') }

/** A box of 32-bit numbers and other boxes. */
function box(name: string, ...content: (number | number[])[]): number[] {
  const bytes = content.flatMap((each) => (typeof each === 'number' ? toBytes(each) : each))
  return [...toBytes(bytes.length + 8), ...Array.from(name, (char) => char.charCodeAt(0)), ...bytes]
}

function toBytes(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
}

const stsz = (...sizes: number[]) => box('stsz', 0, 0, sizes.length, ...sizes)
const stszOfOneSize = (size: number, count: number) => box('stsz', 0, size, count)
const stsc = (samplesPerChunk: number) => box('stsc', 0, 1, 1, samplesPerChunk, 1)
const stts = (count: number) => box('stts', 0, 1, count, 1_024)
const cttsOf = (count: number) => box('ctts', 0, 1, count, 0)
const ctts = cttsOf(2)

/** Shows a movie to the guard as a reader does: its head, then its content. */
function show(...tables: number[][]): void {
  const trak = box('trak', box('tkhd', 0, 0), box('mdia', box('minf', box('stbl', ...tables))))
  const file = Uint8Array.from([...box('ftyp', 0), ...box('moov', box('mvhd', 0, 0), trak)])
  const piece = { bytes: file, view: new DataView(file.buffer), offset: 0 }
  const guard = new ClaimGuard(file.byteLength)
  const movieAt = 12
  guard.check(piece, 0, 16)
  guard.check(piece, movieAt, movieAt + 16)
  guard.check(piece, movieAt + 8, file.byteLength)
}

function findName(bytes: Uint8Array, name: string): number {
  return new TextDecoder('latin1').decode(bytes).indexOf(name)
}

describe('ClaimGuard, indexes', () => {
  it.each([
    ['a chunk of more samples than have a size', [stsc(MANY), stsz(7, 7)]],
    ['the same, with the sizes first', [stsz(7, 7), stsc(MANY)]],
    ['the same, without any sizes', [stsc(MANY)]],
    ['reordered samples of which there are not so many', [stsz(7, 7), stts(MANY), ctts, stsc(2)]],
    ['samples that are said to be reordered, and are not there', [stsz(7, 7), stts(2), cttsOf(MANY), stsc(2)]],
    ['reordered samples of one size', [stszOfOneSize(4, MANY), stts(MANY), ctts, stsc(2)]],
  ])('refuses %s', (_, tables) => {
    expect(() => show(...tables)).toThrow(expect.objectContaining(REFUSED))
  })

  it.each([
    ['samples in their order', [stts(2), stsz(7, 7), stsc(2)]],
    ['reordered samples', [stts(2), ctts, stsz(7, 7), stsc(2)]],
    ['a chunk for some more samples than there are', [stts(2), stsz(7, 7), stsc(9)]],
    ['hours of uncompressed audio in one chunk', [stts(500_000_000), stszOfOneSize(4, 500_000_000), stsc(500_000_000)]],
  ])('takes %s', (_, tables) => {
    expect(() => show(...tables)).not.toThrow()
  })

  it('takes each track by itself', () => {
    const audio = box('trak', box('mdia', box('minf', box('stbl', stszOfOneSize(4, 9), stsc(MANY)))))
    const image = box('trak', box('mdia', box('minf', box('stbl', stsz(7, 7), stsc(2)))))
    const file = Uint8Array.from(box('moov', audio, image))
    const piece = { bytes: file, view: new DataView(file.buffer), offset: 0 }
    const guard = new ClaimGuard(file.byteLength)
    guard.check(piece, 0, 16)
    expect(() => guard.check(piece, 8, file.byteLength)).not.toThrow()
  })

  it('ends the reading of a file whose chunk claims billions of samples', async () => {
    const bytes = await makeMedia('mp4', steadyPackets(100))
    new DataView(bytes.buffer).setUint32(findName(bytes, 'stsc') + 16, MANY)
    await expect(readMediaFacts(pickMedia(bytes)())).rejects.toMatchObject(REFUSED)
  })

  it('reads a file all of whose many samples are in one chunk', async () => {
    const { audio } = makeChunk('audio/mp4', Array<number>(12_000).fill(1))
    using input = openBytes(audio, MP4)
    expect(await (await input.getPrimaryAudioTrack())?.computeDuration()).toBeCloseTo((12_000 * 1024) / 16_000, 0)
  })
})
