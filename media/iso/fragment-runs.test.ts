import { describe, expect, it } from 'vitest'
import { joinBytes } from '../audio-chunk.ts'
import { pickMedia } from '../testing/cut-all.ts'
import { box } from '../testing/make-boxes.ts'
import { FragmentPlaces } from './fragment-places.ts'
import { type Run, readFragments } from './fragment-runs.ts'
import type { IsoMovie } from './iso-movie.ts'

const TRACK = 1
const HAS_SIZE = 0x200

/** A fragment of samples that each last a tick and have a byte, unless sizes say otherwise. */
function fragmentOf(count: number, sizes: number[] | null = null): number[] {
  const run = box('trun', sizes === null ? 0 : HAS_SIZE, count, ...(sizes ?? []))
  return box('moof', box('traf', box('tfhd', 0, TRACK), run))
}

function movieOf(end = 0): IsoMovie {
  const defaults = { ticks: 1, size: 1 }
  const track = { id: TRACK, isAudio: true, isEncrypted: false, timescale: 1_000, edits: [], listedTicks: 0, defaults }
  return { tracks: [{ ...track, readIndex: async () => null }], isFragmented: true, end, places: new FragmentPlaces(0) }
}

async function runsOf(...boxes: number[][]) {
  const source = pickMedia(joinBytes(boxes.map((bytes) => Uint8Array.from(bytes))))()
  const all: Run[] = []
  for await (const runs of readFragments(source, movieOf())) all.push(...runs)
  return all
}

describe('readFragments', () => {
  it('refuses fragments that together claim more samples than a file can hold', async () => {
    const many = Array.from({ length: 50 }, () => fragmentOf(200_000))
    await expect(runsOf(...many)).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('reads as many samples as there are bytes', async () => {
    const mdat = box('mdat', ...Array<number>(75_000).fill(0))
    const runs = await runsOf(fragmentOf(150_000), mdat, fragmentOf(150_000), mdat)
    expect(runs.map(({ count, ticks }) => [count, ticks])).toEqual([
      [150_000, 0],
      [150_000, 150_000],
    ])
  })

  it('refuses a file whose fragments go on behind what is no box', async () => {
    const whole = box('moof', box('mfhd', 0, 1), box('traf', box('tfhd', 0, TRACK), box('trun', 0, 3)))
    const gap = Array<number>(70_000).fill(0)
    await expect(runsOf(fragmentOf(3), gap, whole)).rejects.toMatchObject({ code: 'unreadable' })
    expect(await runsOf(fragmentOf(3), gap, whole.slice(0, -1))).toHaveLength(1)
    expect(await runsOf(fragmentOf(3), gap)).toHaveLength(1)
  })

  it('measures a run by its entries, and by the usual length and size where there are none', async () => {
    const runs = await runsOf(fragmentOf(3, [5, 6, 7]), fragmentOf(4))
    expect(runs.map(({ lengthTicks, sizeBytes }) => [lengthTicks, sizeBytes])).toEqual([
      [3, 18],
      [4, 4],
    ])
  })
})
