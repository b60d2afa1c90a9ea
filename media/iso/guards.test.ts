import { MP4 } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { openBytes } from '../open-media.ts'
import { readMediaFacts } from '../read-facts.ts'
import { MediaFault } from '../source/byte-window.ts'
import { cutAll, pickMedia } from '../testing/cut-all.ts'
import { box } from '../testing/make-boxes.ts'
import { makeChunk } from '../testing/make-chunk.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'
import { ClaimGuard, ProgressGuard } from './guards.ts'

const MANY = 0xffff_ffff
const REFUSED = { code: 'unreadable', message: expect.stringContaining('damaged') }

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

const TRUN = Array.from('trun', (char) => char.charCodeAt(0))
/** Per sample: length, size, flags, offset. */
const FIELDS_OF_EACH = 0x0f00

/** Where the run of the n-th fragment has its name. */
function findRun(bytes: Uint8Array, nth: number): number {
  let at = -1
  for (let found = 0; found <= nth; found++) {
    do at++
    while (at < bytes.byteLength && !TRUN.every((byte, i) => bytes[at + i] === byte))
  }
  return at
}

async function makeClaim(samples: number): Promise<Uint8Array> {
  const bytes = await makeMedia('fragmented', steadyPackets(100))
  const view = new DataView(bytes.buffer)
  const at = findRun(bytes, 1)
  view.setUint32(at + 4, view.getUint32(at + 4) & ~FIELDS_OF_EACH)
  view.setUint32(at + 8, samples)
  return bytes
}

describe('ClaimGuard, fragments', () => {
  it.each([300_000, 0xffff_ffff])('refuses a fragment that claims %d samples without naming any', async (samples) => {
    const open = pickMedia(await makeClaim(samples))
    const looked = readMediaFacts(open()).then((facts) => cutAll({ open, facts }))
    await expect(looked).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('damaged') })
  })

  it('takes fragments of many samples that are there', async () => {
    const open = pickMedia(await makeMedia('fragmented', steadyPackets(2_000)))
    const facts = await readMediaFacts(open())
    expect((await cutAll({ open, facts })).chunks.at(-1)?.endMs).toBe(128_000)
  })
})

const CLUSTER = [0x1f, 0x43, 0xb6, 0x75]

describe('ProgressGuard', () => {
  it('ends a search that finds the same broken cluster again and again', async () => {
    const bytes = await makeMedia('live', steadyPackets(100))
    const second = bytes.findLastIndex((_, at) => CLUSTER.every((byte, i) => bytes[at + i] === byte))
    // No size begins with a zero.
    bytes[second + CLUSTER.length] = 0
    await expect(readMediaFacts(pickMedia(bytes)())).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('lets a reader come back now and then, however long it reads', () => {
    const guard = new ProgressGuard()
    expect(() => {
      for (let at = 0; at < 100_000; at++) for (const start of [at, at + 8, at]) guard.note(start)
    }).not.toThrow()
    expect(() => {
      for (let at = 0; at < 2_000; at++) guard.note(at % 3)
    }).toThrow(MediaFault)
  })
})
