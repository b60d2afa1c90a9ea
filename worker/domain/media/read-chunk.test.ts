import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '#media/read-facts.ts'
import { bytesOf, cutAll, pickMedia } from '#media/testing/cut-all.ts'
import { CHUNK_TYPES, makeChunk, packetMsOf, readPackets } from '#media/testing/make-chunk.ts'
import { type ChunkPiece, halveChunk } from './read-chunk.ts'

const HALF_OVERLAP_MS = 1250
const COMPRESSED = CHUNK_TYPES.filter((type) => type !== 'audio/wav')

type Chunk = Parameters<typeof halveChunk>[0]

async function halve(chunk: Chunk): Promise<readonly [ChunkPiece, ChunkPiece]> {
  const halves = await halveChunk(chunk)
  if (halves === null) throw new Error('The chunk was not halved')
  return halves
}

function samplesOf(wav: Uint8Array<ArrayBuffer>): Int16Array {
  return new Int16Array(wav.buffer, wav.byteOffset + 44)
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one?.byteLength === other?.byteLength && one?.every((byte, i) => byte === other?.[i]) === true
}

/** Where the packets of a half lie among those of the whole. */
function placeOf(half: Uint8Array[], whole: Uint8Array[]): { from: number; to: number } {
  const from = whole.findIndex((_, at) => half.every((packet, i) => isSame(packet, whole[at + i])))
  if (from === -1) throw new Error('The half is no run of the whole')
  return { from, to: from + half.length }
}

/** How two spans must lie on a chunk, whatever is in it. */
function expectHalves([first, second]: readonly [ChunkPiece, ChunkPiece], durationMs: number, packetMs: number): void {
  const middleMs = durationMs / 2
  expect([first.audioStartMs, first.startMs]).toEqual([0, 0])
  expect(first.endMs).toBe(second.startMs)
  expect(Math.abs(first.endMs - middleMs)).toBeLessThanOrEqual(middleMs / 6 + 1)
  expect(Math.abs(second.endMs - durationMs)).toBeLessThanOrEqual(1)
  expect(second.startMs - second.audioStartMs).toBeGreaterThanOrEqual(HALF_OVERLAP_MS - 1)
  expect(second.startMs - second.audioStartMs).toBeLessThanOrEqual(HALF_OVERLAP_MS + packetMs + 1)
  expect(first.durationMs - first.endMs).toBeGreaterThanOrEqual(HALF_OVERLAP_MS - 1)
  expect(first.durationMs - first.endMs).toBeLessThanOrEqual(HALF_OVERLAP_MS + packetMs + 1)
  expect(Math.abs(second.audioStartMs + second.durationMs - durationMs)).toBeLessThanOrEqual(1)
}

describe('halveChunk', () => {
  it.each(COMPRESSED)('copies each packet of %s into one half or, around the cut, into both', async (contentType) => {
    const packetMs = packetMsOf(contentType)
    const counts = { min: Math.ceil(8_000 / packetMs), max: Math.ceil(40_000 / packetMs) }
    await fc.assert(
      fc.asyncProperty(fc.integer(counts), fc.infiniteStream(fc.nat(200)), async (count, loudness) => {
        const chunk = makeChunk(contentType, [...loudness.take(count)])
        const halves = await halve(chunk)
        expectHalves(halves, chunk.durationMs, packetMs)
        const whole = chunk.packets.map(({ bytes }) => bytes)
        const [first, second] = await Promise.all(
          halves.map(async ({ audio }) => placeOf(await readPackets(audio), whole)),
        )
        expect([first?.from, second?.to]).toEqual([0, whole.length])
        expect(Math.round((second?.from ?? 0) * packetMs)).toBe(halves[1].audioStartMs)
        expect(second?.from).toBeLessThan(first?.to ?? 0)
      }),
      { numRuns: 10 },
    )
  })

  it('copies WAV to the last bit but one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 400, max: 1500 }), fc.infiniteStream(fc.nat(600)), async (count, loudness) => {
        const chunk = makeChunk('audio/wav', [...loudness.take(count)])
        const halves = await halve(chunk)
        expectHalves(halves, chunk.durationMs, 20)
        const whole = samplesOf(chunk.audio)
        for (const { audio, audioStartMs, durationMs } of halves) {
          const samples = samplesOf(audio)
          expect(samples.length).toBe(durationMs * 16)
          const from = audioStartMs * 16
          expect(samples.every((sample, i) => Math.abs(sample - (whole[from + i] ?? 0)) <= 1)).toBe(true)
        }
      }),
      { numRuns: 10 },
    )
  })

  it.each(CHUNK_TYPES)('cuts %s in the pause near its middle', async (contentType) => {
    const count = Math.round(30_000 / packetMsOf(contentType))
    const isPause = (i: number) => i > count * 0.46 && i < count * 0.48
    const loud = Array.from({ length: count }, (_, i) => (isPause(i) ? 2 : 120))
    const [first] = await halve(makeChunk(contentType, loud))
    expect(isPause(first.endMs / packetMsOf(contentType))).toBe(true)
  })

  it.each(CHUNK_TYPES)('halves the halves of %s, down to a length that still holds a sentence', async (contentType) => {
    const whole = makeChunk(contentType, Array<number>(Math.round(30_000 / packetMsOf(contentType))).fill(100))
    const lengths: number[] = []
    const queue: Chunk[] = [whole]
    for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
      const halves = await halveChunk(chunk)
      for (const half of halves ?? []) {
        lengths.push(half.durationMs)
        expect(half.audio.byteLength).toBeLessThan(chunk.audio.byteLength)
        queue.push({ ...half, contentType })
      }
    }
    expect(lengths.length).toBe(2 + 4 + 8)
    expect(Math.min(...lengths)).toBeGreaterThan(4_000 + HALF_OVERLAP_MS)
  })

  it.each(CHUNK_TYPES)('does not halve %s of less than twice the smallest length', async (contentType) => {
    const packetMs = packetMsOf(contentType)
    const shortest = Math.ceil(8_000 / packetMs)
    expect(await halveChunk(makeChunk(contentType, Array<number>(shortest).fill(9)))).not.toBeNull()
    expect(await halveChunk(makeChunk(contentType, Array<number>(shortest - 1).fill(9)))).toBeNull()
  })

  it.each(CHUNK_TYPES)('does not halve what is not %s', async (contentType) => {
    expect(await halveChunk({ audio: new Uint8Array(50_000).fill(7), contentType })).toBeNull()
    expect(await halveChunk({ audio: new Uint8Array(0), contentType })).toBeNull()
  })
})

/** Videos as ffmpeg writes them; as `data:` URLs. */
const FIXTURES = import.meta.glob('../../../local/media/fixtures/*.{mp4,webm}', {
  query: '?inline',
  import: 'default',
  eager: true,
})
const named = Object.entries(FIXTURES)
  .map(([path, dataUrl]) => ({ name: path.split('/').at(-1) ?? path, dataUrl }))
  .filter(({ name }) => !name.startsWith('silent-track'))

describe('halves of real audio', () => {
  it.each(named)('hold every packet of $name', async ({ dataUrl }) => {
    const open = pickMedia(await bytesOf(dataUrl))
    const { chunks } = await cutAll({ open, facts: await readMediaFacts(open()) })
    const chunk = chunks[0]
    if (chunk === undefined) throw new Error('No chunk')
    const halves = await halve({ audio: chunk.bytes, contentType: chunk.contentType })
    const whole = await readPackets(chunk.bytes)
    const [first, second] = await Promise.all(halves.map(async ({ audio }) => placeOf(await readPackets(audio), whole)))
    expect([first?.from, second?.to]).toEqual([0, whole.length])
    expect(second?.from).toBeLessThan(first?.to ?? 0)
    // The source declares its last packet too short, and Vorbis counts a first packet without audio.
    expect(Math.abs(halves[1].audioStartMs + halves[1].durationMs - chunk.audioDurationMs)).toBeLessThan(50)
  })
})
