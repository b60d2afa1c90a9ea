import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickMedia } from '../testing/cut-all.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'
import type { FedPacket } from './audio-index.ts'
import { FragmentFeed } from './fragment-feed.ts'
import { type IsoMovie, readIsoMovie } from './iso-movie.ts'
import { measureTracks } from './measure-tracks.ts'

/** Two minutes, with a pause of half a minute, in fragments of a second. */
async function makePaused() {
  const packets = steadyPackets(1_400).map((packet, at) => ({ ...packet, startMs: at * 64 + (at < 700 ? 0 : 30_000) }))
  return makeMedia('fragmented', packets, 'avc', { paddingBytes: 2_000 })
}

async function movieOf(source: ReturnType<ReturnType<typeof pickMedia>>): Promise<IsoMovie> {
  const movie = await readIsoMovie(source)
  if (movie === null) throw new Error('No movie')
  return movie
}

function feedOf(source: ReturnType<ReturnType<typeof pickMedia>>, movie: IsoMovie, isAudio = true): FragmentFeed {
  const track = movie.tracks.find((each) => each.isAudio === isAudio)
  if (track === undefined) throw new Error('No track')
  return new FragmentFeed(source, { movie, track, index: null, isPcm: false })
}

const seen = (packet: FedPacket | null) => packet && `${packet.startMs} ${packet.bytes.join()}`

describe('FragmentFeed', () => {
  it('finds the same packet from a fragment that was passed as from the beginning', async () => {
    const source = pickMedia(await makePaused())()
    const walked = await movieOf(source)
    await measureTracks(source, walked, 'end')
    for (const isAudio of [true, false]) {
      const feed = feedOf(source, walked, isAudio)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: -1_000, max: 130_000 }), async (ms) => {
          const fresh = feedOf(source, await movieOf(source), isAudio)
          expect(seen(await feed.seek(ms))).toBe(seen(await fresh.seek(ms)))
          expect(seen(await feed.next())).toBe(seen(await fresh.next()))
        }),
        { numRuns: 30 },
      )
    }
  })

  it('reads little to find a fragment that was passed, and nothing of a track that has none', async () => {
    const source = pickMedia(await makePaused())()
    const movie = await movieOf(source)
    await measureTracks(source, movie, 'end')
    const before = source.fetchedBytes
    await feedOf(source, movie).seek(60_000)
    expect(source.fetchedBytes - before).toBeLessThan(1024 * 1024)
    const [track] = movie.tracks
    if (track === undefined) throw new Error('No track')
    const silent = { ...track, id: 99 }
    expect(await new FragmentFeed(source, { movie, track: silent, index: null, isPcm: false }).seek(0)).toBeNull()
  })
})
