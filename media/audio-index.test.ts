import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndexFeed, type PacketFeed } from './audio-index.ts'
import type { ByteWindow } from './byte-window.ts'
import { readIsoMovie } from './iso-movie.ts'
import { endOfListed } from './measure-tracks.ts'
import { openMedia, TrackFeed } from './open-media.ts'
import { pickMedia } from './testing/cut-all.ts'
import { type MadeContainer, makeMedia, steadyPackets } from './testing/make-media.ts'

async function audioTrackOf(source: ByteWindow) {
  const track = await openMedia(source).getPrimaryAudioTrack()
  if (track === null) throw new Error('No audio')
  return track
}

async function isoTrackOf(source: ByteWindow) {
  const movie = await readIsoMovie(source)
  const { id } = await audioTrackOf(source)
  return movie?.tracks.find((track) => track.id === id)
}

async function indexOf(source: ByteWindow) {
  return (await isoTrackOf(source))?.readIndex() ?? null
}

async function drain(feed: PacketFeed, fromMs: number): Promise<string[]> {
  const packets: string[] = []
  for (let packet = await feed.seek(fromMs); packet !== null; packet = await feed.next()) {
    const { startMs, lengthMs, bytes } = packet
    packets.push(`${startMs.toFixed(3)} ${lengthMs.toFixed(3)} ${bytes.join()}`)
  }
  return packets
}

describe('AudioIndex', () => {
  it('walks the very packets that mediabunny finds, from wherever it begins', async () => {
    const media = fc.record({
      lengths: fc.array(fc.constantFrom(64, 32, 128), { minLength: 1, maxLength: 120 }),
      lateMs: fc.constantFrom(0, 640, 5000),
      fromMs: fc.integer({ min: -100, max: 9000 }),
    })
    await fc.assert(
      fc.asyncProperty(media, async ({ lengths, lateMs, fromMs }) => {
        let startMs = lateMs
        const packets = lengths.map((lengthMs, i) => {
          const packet = { startMs, lengthMs, loudness: i % 200 }
          startMs += lengthMs
          return packet
        })
        const source = pickMedia(await makeMedia('mp4', packets))()
        const index = await indexOf(source)
        if (index === null) throw new Error('No index')
        const walked = await drain(new IndexFeed(source, index), fromMs)
        expect(walked).toEqual(await drain(new TrackFeed(await audioTrackOf(source)), fromMs))
        expect(walked.length).toBeGreaterThan(0)
      }),
      { numRuns: 40 },
    )
  })

  it('knows the number of packets and where the last one ends', async () => {
    const track = await isoTrackOf(pickMedia(await makeMedia('mp4', steadyPackets(500)))())
    expect((await track?.readIndex())?.count).toBe(500)
    expect(track && endOfListed(track)).toBeCloseTo(32_000, 3)
  })

  it('walks no further than a file can reach, however many packets of one size it claims', async () => {
    const bytes = await makeMedia('mp4', steadyPackets(500))
    const view = new DataView(bytes.buffer)
    const tables = ['stts', 'stsz', 'stsc'].map((name) =>
      bytes.findIndex((_, at) => Array.from(name).every((char, i) => bytes[at + i] === char.charCodeAt(0))),
    )
    const [durations = 0, sizes = 0, chunkRuns = 0] = tables
    // All at the same time, four billion of them, in one chunk.
    view.setUint32(durations + 12, 0xffff_ffff)
    view.setUint32(durations + 16, 0)
    view.setUint32(sizes + 8, 64)
    view.setUint32(sizes + 12, 0xffff_ffff)
    view.setUint32(chunkRuns + 16, 0xffff_ffff)
    const source = pickMedia(bytes)()
    const index = (await (await readIsoMovie(source))?.tracks[0]?.readIndex()) ?? null
    expect(index?.count).toBe(Math.floor(bytes.byteLength / 64))
    expect(index && [...index.packets(1000)]).toHaveLength(1)
  })

  it('takes the entries of PCM for the single samples that they are', async () => {
    const index = await indexOf(pickMedia(await makeMedia('mov', steadyPackets(50)))())
    expect(index?.hasWholePackets).toBe(false)
  })

  it.each<MadeContainer>(['webm', 'mkv'])('leaves a %s to mediabunny', async (container) => {
    expect(await indexOf(pickMedia(await makeMedia(container, steadyPackets(50)))())).toBeNull()
  })

  it('ends where a broken file ends', async () => {
    const bytes = await makeMedia('mp4', steadyPackets(500))
    const source = pickMedia(bytes.subarray(0, -24 * 100))()
    const index = await indexOf(source)
    if (index === null) throw new Error('No index')
    expect(await drain(new IndexFeed(source, index), 0)).toHaveLength(400)
  })
})
