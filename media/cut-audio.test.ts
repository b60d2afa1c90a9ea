import fc from 'fast-check'
import { BufferSource, EncodedPacketSink, Input, MP4, OGG, WAVE } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import type { AudioChunk } from './audio-chunk.ts'
import { cutAudioSlice } from './cut-audio.ts'
import { readMediaFacts } from './read-facts.ts'
import { cutAll, pickMedia } from './testing/cut-all.ts'
import {
  type MadeContainer,
  type MadePacket,
  type MadePicture,
  makeMedia,
  steadyPackets,
} from './testing/make-media.ts'

const CONTAINERS: MadeContainer[] = ['mp4', 'fragmented', 'mov', 'webm', 'live', 'mkv']
const LENGTHS = { chunkMs: 3000, overlapMs: 500 }

async function opened(container: MadeContainer, packets: MadePacket[], picture?: MadePicture) {
  const open = pickMedia(await makeMedia(container, packets, picture))
  return { open, facts: await readMediaFacts(open()) }
}

/** The time that each made packet carries in itself, which shows where the packets of a chunk came from. */
async function originsOf({ bytes }: AudioChunk): Promise<number[]> {
  using input = new Input({ source: new BufferSource(bytes), formats: [MP4, OGG, WAVE] })
  const track = await input.getPrimaryAudioTrack()
  if (track === null) return []
  const origins: number[] = []
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    origins.push(new DataView(data.buffer, data.byteOffset).getFloat64(8))
  }
  return origins
}

function expectTiles(chunks: AudioChunk[], durationMs: number): void {
  expect(chunks[0]?.startMs).toBe(0)
  expect(chunks.at(-1)?.endMs).toBe(durationMs)
  expect(chunks.map(({ chunk }) => chunk)).toEqual(chunks.map((_, i) => i))
  for (const [i, { startMs, endMs }] of chunks.entries()) {
    expect(endMs).toBeGreaterThan(startMs)
    expect(chunks[i + 1]?.startMs ?? durationMs).toBe(endMs)
  }
}

const loudnesses = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 320 })

describe('cutAudioSlice', () => {
  it.each(CONTAINERS)('covers a %s without gap or overlap, the same whatever the slices', async (container) => {
    await fc.assert(
      fc.asyncProperty(loudnesses, fc.integer({ min: 1, max: 9000 }), async (loud, sliceMs) => {
        const media = await opened(
          container,
          steadyPackets(loud.length, (i) => loud[i] ?? 0),
        )
        const whole = await cutAll({ ...media, ...LENGTHS })
        const sliced = await cutAll({ ...media, ...LENGTHS, sliceMs })
        expect(whole.slices).toBe(1)
        expectTiles(whole.chunks, Math.max(media.facts.durationMs, whole.chunks.at(-1)?.endMs ?? 0))
        expect(sliced.chunks).toEqual(whole.chunks)
      }),
      { numRuns: 12 },
    )
  })

  it.each(['mp4', 'fragmented', 'webm', 'live', 'mkv'] as const)('loses no packet of a %s', async (container) => {
    const packets = steadyPackets(400, (i) => (i * 37) % 150)
    const { chunks } = await cutAll({ ...(await opened(container, packets)), ...LENGTHS, sliceMs: 7000 })
    const covered = new Set((await Promise.all(chunks.map(originsOf))).flat())
    expect(packets.filter(({ startMs }) => !covered.has(startMs))).toEqual([])
  })

  it('reaches half of the overlap to both sides of a chunk, but not out of the file', async () => {
    const { chunks } = await cutAll({ ...(await opened('mp4', steadyPackets(200))), ...LENGTHS })
    expect(chunks.length).toBeGreaterThan(3)
    for (const [i, chunk] of chunks.entries()) {
      const before = chunk.startMs - chunk.audioStartMs
      const after = chunk.audioStartMs + chunk.audioDurationMs - chunk.endMs
      expect(before).toSatisfy((ms: number) => (i === 0 ? ms === 0 : ms >= 250 && ms < 250 + 65))
      expect(after).toSatisfy((ms: number) => (i === chunks.length - 1 ? ms === 0 : ms >= 250 && ms < 250 + 65))
      expect((await originsOf(chunk))[0]).toBe(chunk.audioStartMs)
    }
  })

  it.each(['mp4', 'mov', 'webm', 'mkv'] as const)('cuts a %s in its pauses', async (container) => {
    const isPause = (i: number) => i % 40 >= 34
    const media = await opened(
      container,
      steadyPackets(700, (i) => (isPause(i) ? 10 : 120)),
    )
    const { chunks } = await cutAll({ ...media, chunkMs: 10_000, overlapMs: 500 })
    expect(chunks.length).toBeGreaterThan(3)
    for (const { endMs } of chunks.slice(0, -1)) expect(isPause(Math.round(endMs / 64))).toBe(true)
  })

  it('cuts on a regular grid when loudness says nothing', async () => {
    const { chunks } = await cutAll({ ...(await opened('mp4', steadyPackets(400))), chunkMs: 5000, overlapMs: 500 })
    for (const { startMs, endMs } of chunks.slice(0, -1))
      expect(Math.abs(endMs - startMs - 5000)).toBeLessThanOrEqual(64)
  })

  it('puts the rest of a file into its last chunk rather than into a tiny one', async () => {
    const media = await opened('mp4', steadyPackets(60))
    expect((await cutAll({ ...media, ...LENGTHS })).chunks).toHaveLength(1)
  })

  it('continues after a gap at the time where the audio continues', async () => {
    const packets = steadyPackets(200).map((packet, i) =>
      i < 77 ? packet : { ...packet, startMs: packet.startMs + 60_000 },
    )
    const media = await opened('mkv', packets)
    const { chunks } = await cutAll({ ...media, ...LENGTHS, sliceMs: 4000 })
    expectTiles(chunks, Math.max(media.facts.durationMs, 200 * 64 + 60_000))
    const after = chunks.find(({ startMs }) => startMs === 77 * 64 + 60_000)
    expect(after?.audioStartMs).toBe(77 * 64 + 60_000)
    for (const chunk of chunks) expect(chunk.audioDurationMs).toBeLessThanOrEqual(5000)
  })

  it('waits for audio that sets in late', async () => {
    const late = steadyPackets(100).map((packet) => ({ ...packet, startMs: packet.startMs + 20_000 }))
    const { chunks } = await cutAll({ ...(await opened('mkv', late, 'avc')), ...LENGTHS })
    expect(chunks[0]).toMatchObject({ startMs: 0, audioStartMs: 20_000 })
  })

  it('refuses audio whose packets are more than a day apart', async () => {
    const packets = steadyPackets(100).map((packet, i) =>
      i < 60 ? packet : { ...packet, startMs: packet.startMs + 9e7 },
    )
    const { open } = await opened('mkv', steadyPackets(100))
    const facts = await readMediaFacts(open())
    const late = pickMedia(await makeMedia('mkv', packets))
    await expect(cutAll({ open: late, facts })).rejects.toMatchObject({ code: 'unreadable' })
    await expect(readMediaFacts(late())).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('makes no part of a video without audio', async () => {
    const facts = {
      startMs: 0,
      durationMs: 5000,
      container: 'video/mp4',
      audio: null,
      candidates: [],
      audioTracks: [],
      unsupportedAudio: null,
      hasVideo: true,
      videoCodec: null,
    } as const
    const { open } = await opened('mp4', steadyPackets(1))
    expect(await cutAll({ open, facts })).toEqual({ chunks: [], slices: 1 })
  })

  it('holds one chunk at a time', async () => {
    const { open, facts } = await opened('mp4', steadyPackets(300))
    let open_chunks = 0
    const saveChunk = async () => {
      expect(++open_chunks).toBe(1)
      await scheduler.wait(1)
      open_chunks--
    }
    const end = await cutAudioSlice({ source: open(), facts, fromMs: 0, firstChunk: 0, saveChunk, ...LENGTHS })
    expect(end.nextChunk).toBeGreaterThan(4)
  })

  it('passes on what went wrong with saving a chunk', async () => {
    const { open, facts } = await opened('mp4', steadyPackets(300))
    const full = new Error('no space')
    const saveChunk = () => Promise.reject(full)
    await expect(cutAudioSlice({ source: open(), facts, fromMs: 0, firstChunk: 0, saveChunk })).rejects.toBe(full)
  })
})
