import { describe, expect, it } from 'vitest'
import { joinBytes } from '../audio-chunk.ts'
import { pickMedia } from '../testing/cut-all.ts'
import { box } from '../testing/make-boxes.ts'
import { FragmentPlaces } from './fragment-places.ts'
import type { IsoMovie, IsoTrack } from './iso-movie.ts'
import { endOfListed, measureTracks } from './measure-tracks.ts'

const TRACK: IsoTrack = {
  id: 1,
  isAudio: true,
  isEncrypted: false,
  timescale: 1_000,
  edits: [],
  listedTicks: 0,
  defaults: { ticks: 10, size: 1 },
  readIndex: async () => null,
}

/** A fragment of five samples of ten ticks each. */
const fragmentOf = (trackId: number) => box('moof', box('traf', box('tfhd', 0, trackId), box('trun', 0, 5)))
const DATA = box('mdat', ...Array<number>(25).fill(0))

function measure(track: Partial<IsoTrack>, fragments: number[][], isFragmented = true) {
  const source = pickMedia(joinBytes(fragments.map((bytes) => Uint8Array.from(bytes))))()
  const movie: IsoMovie = { tracks: [{ ...TRACK, ...track }], isFragmented, end: 0, places: new FragmentPlaces(0) }
  return measureTracks(source, movie, 'end')
}

describe('measureTracks', () => {
  it('measures by the samples of all fragments, and passes by those of a track that the file does not name', async () => {
    const spans = await measure({}, [fragmentOf(1), DATA, fragmentOf(9), DATA, fragmentOf(1), DATA])
    expect([...spans]).toEqual([[1, { startMs: 0, endMs: 100, missingMs: 0 }]])
  })

  it('adds what the index lists to what is in fragments', async () => {
    const edits = [{ playedAt: 20, mediaAt: 0, length: 40 }]
    expect((await measure({ edits, listedTicks: 40 }, [], false)).get(1)).toEqual({
      startMs: 20,
      endMs: 60,
      missingMs: 0,
    })
  })

  it('knows no span of a track without a sample', async () => {
    expect(await measure({}, [], false)).toEqual(new Map())
  })
})

describe('endOfListed', () => {
  it('ends where the last sample that is played ends, however long an edit is said to be', () => {
    const edits = [{ playedAt: 500, mediaAt: 200, length: 9_000 }]
    expect(endOfListed({ edits, listedTicks: 1_200, timescale: 1_000 })).toBe(1_500)
  })
})
