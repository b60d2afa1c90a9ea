import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMedia, TrackFeed } from '../open-media.ts'
import type { ByteWindow } from '../source/byte-window.ts'
import { pickMedia } from '../testing/cut-all.ts'
import { type MadeContainer, makeMedia, steadyPackets } from '../testing/make-media.ts'
import { AudioIndex, type Edit, type IndexedPacket, IndexFeed, type PacketFeed } from './audio-index.ts'
import { readIsoMovie } from './iso-movie.ts'
import { endOfListed } from './measure-tracks.ts'

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

/** Counts what is read of a table. */
class CountedView extends DataView<ArrayBuffer> {
  reads = 0

  override getUint32(offset: number): number {
    this.reads += 1
    return super.getUint32(offset)
  }
}

function tableOf(...numbers: number[]): CountedView {
  const view = new CountedView(new ArrayBuffer(4 * numbers.length))
  for (const [at, number] of numbers.entries()) view.setUint32(4 * at, number)
  return view
}

/** An index of packets that each last some ticks and have some bytes; so many of them lie in each chunk. */
interface MadeIndex {
  packets: { ticks: number; size: number }[]
  chunkSizes: number[]
  edits: Edit[]
}

const TIMESCALE = 1_000

function makeIndex({ packets, chunkSizes, edits }: MadeIndex) {
  const perChunk = packets.map((_, chunk) => chunkSizes[chunk % chunkSizes.length] ?? 1)
  const tables = {
    timescale: TIMESCALE,
    edits,
    durations: tableOf(0, packets.length, ...packets.flatMap(({ ticks }) => [1, ticks])),
    sizes: tableOf(0, 0, packets.length, ...packets.map(({ size }) => size)),
    chunkRuns: tableOf(0, packets.length, ...perChunk.flatMap((count, chunk) => [chunk + 1, count, 1])),
    chunkOffsets: tableOf(0, packets.length, ...packets.map((_, chunk) => 10_000 * chunk)),
    hasLongOffsets: false,
  }
  return new AudioIndex(tables, Number.MAX_SAFE_INTEGER)
}

/** What is to come of it, packet by packet. */
function listPlayed({ packets, chunkSizes, edits }: MadeIndex, fromMs: number): IndexedPacket[] {
  const offsets: number[] = []
  for (let chunk = 0; offsets.length < packets.length; chunk++) {
    let offset = 10_000 * chunk
    for (let left = chunkSizes[chunk % chunkSizes.length] ?? 1; left > 0; left--) {
      offsets.push(offset)
      offset += packets[offsets.length - 1]?.size ?? 0
    }
  }
  return edits.flatMap(({ playedAt, mediaAt, length }, at) => {
    let endMs = playedAt - mediaAt
    const all = packets.map(({ ticks, size }, packet) => {
      endMs += ticks
      return { offset: offsets[packet] ?? 0, size, startMs: endMs - ticks, lengthMs: ticks }
    })
    const begun = all.filter(({ startMs }) => startMs < playedAt + length)
    const isFinal = (packet: IndexedPacket) =>
      at + 1 === edits.length && (packet === all.at(-1) || packet.startMs + packet.lengthMs >= playedAt + length)
    return begun.filter((packet) => {
      const end = packet.startMs + packet.lengthMs
      return (end > fromMs && (packet.startMs >= playedAt || end > playedAt)) || isFinal(packet)
    })
  })
}

const EDITS = fc
  .array(fc.record({ wait: fc.nat(2_000), mediaAt: fc.nat(3_000), length: fc.integer({ min: 1, max: 3_000 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((edits) => {
    let playedAt = 0
    return edits.map(({ wait, mediaAt, length }) => {
      const edit = { playedAt: playedAt + wait, mediaAt, length }
      playedAt += wait + length
      return edit
    })
  })

describe('AudioIndex', () => {
  it('plays its packets as edits say, from wherever it begins', () => {
    const made = fc.record({
      packets: fc.array(fc.record({ ticks: fc.nat(200), size: fc.integer({ min: 1, max: 99 }) }), { minLength: 1 }),
      chunkSizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
      edits: EDITS,
    })
    fc.assert(
      fc.property(made, fc.integer({ min: -100, max: 9_000 }), (index, fromMs) => {
        expect([...makeIndex(index).packets(fromMs)]).toEqual(listPlayed(index, fromMs))
      }),
    )
  })

  it('reads little of its tables to find a time, however many edits it has', () => {
    const packets = 100_000
    const tables = {
      timescale: TIMESCALE,
      edits: Array.from({ length: 1_000 }, (_, at) => ({ playedAt: 2_000 * at, mediaAt: 1_000, length: 2_000 })),
      durations: tableOf(0, 1, packets, 20),
      sizes: tableOf(0, 0, packets, ...Array<number>(packets).fill(100)),
      chunkRuns: tableOf(0, 1, 1, 10, 1),
      chunkOffsets: tableOf(0, packets / 10, ...Array.from({ length: packets / 10 }, (_, chunk) => 1_000 * chunk)),
      hasLongOffsets: false,
    }
    const index = new AudioIndex(tables, Number.MAX_SAFE_INTEGER)
    expect(index.packets(1_999_000).next().value).toMatchObject({ startMs: 1_999_000, offset: 100 * 100 })
    const read = [tables.durations, tables.sizes, tables.chunkRuns, tables.chunkOffsets]
    expect(read.reduce((sum, { reads }) => sum + reads, 0)).toBeLessThan(200)
  })

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

  it('refuses a thousand edits of which each would walk a hundred thousand runs', () => {
    const tables = {
      timescale: TIMESCALE,
      durations: tableOf(0, 50_000),
      sizes: tableOf(0, 0, 50_000),
      chunkRuns: tableOf(0, 50_000),
      chunkOffsets: tableOf(0, 50_000),
      hasLongOffsets: false,
    }
    const edits = Array.from({ length: 1_000 }, (_, at) => ({ playedAt: at, mediaAt: 0, length: 1 }))
    expect(() => new AudioIndex({ ...tables, edits }, 1_000)).toThrow(expect.objectContaining({ code: 'unreadable' }))
    expect(new AudioIndex({ ...tables, edits: edits.slice(0, 100) }, 1_000).count).toBe(50_000)
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
