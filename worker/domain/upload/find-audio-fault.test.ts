import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AudioArrived, ClientAudioChunk } from '#contract/upload.ts'
import { findAudioFault } from './find-audio-fault.ts'

const DURATION_MS = 100_000

/** Chunks as our cutter makes them, cut at the given times. */
function chunksOf(cutsMs: number[], durationMs = DURATION_MS): ClientAudioChunk[] {
  return [...cutsMs, durationMs].map((endMs, chunk) => {
    const startMs = cutsMs[chunk - 1] ?? 0
    const audioStartMs = Math.max(0, startMs - 1250)
    const audioDurationMs = Math.min(durationMs, endMs + 1250) - audioStartMs
    return { chunk, contentType: 'audio/mp4', sizeBytes: 200_000, audioStartMs, audioDurationMs, startMs, endMs }
  })
}

const CUT = chunksOf([10_000, 30_000, 61_000])

function faultOf(patch: Partial<ClientAudioChunk>, whole: Partial<AudioArrived> = {}, chunk = 1): string | null {
  const chunks = CUT.map((each) => (each.chunk === chunk ? { ...each, ...patch } : each))
  return findAudioFault({ durationMs: DURATION_MS, chunks, chunkCount: chunks.length, ...whole }, [])
}

describe('findAudioFault', () => {
  it('finds nothing wrong with what our own cutter makes, in any pieces and any order', () => {
    const minutes = fc.array(fc.integer({ min: 25_000, max: 45_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 900 }), fc.infiniteStream(fc.nat()), (lengths, over, order) => {
        let endMs = 0
        const cuts = lengths.map((length) => (endMs += length))
        const chunks = chunksOf(cuts, endMs + 20_000)
        const known: ClientAudioChunk[] = []
        const waiting = [...chunks]
        while (waiting.length > 0) {
          const arrived = waiting.splice(order.next().value % waiting.length, 3)
          const chunkCount = waiting.length === 0 ? chunks.length : null
          const durationMs = endMs + 20_000 - over
          expect(findAudioFault({ durationMs, chunks: arrived, chunkCount }, known)).toBeNull()
          known.push(...arrived)
        }
      }),
    )
  })

  it('accepts chunks that are reported twice', () => {
    expect(findAudioFault({ durationMs: DURATION_MS, chunks: CUT, chunkCount: 4 }, CUT)).toBeNull()
    expect(findAudioFault({ durationMs: DURATION_MS, chunks: [], chunkCount: 4 }, CUT)).toBeNull()
  })

  it.each<[string, Partial<ClientAudioChunk>, Partial<AudioArrived>, number]>([
    ['a gap before it', { startMs: 10_001 }, {}, 1],
    ['a gap after it', { endMs: 29_999 }, {}, 1],
    ['a beginning other than the video’s', { startMs: 500 }, {}, 0],
    ['no length', { startMs: 30_000 }, {}, 1],
    ['audio from far before', { audioStartMs: 4_000 }, {}, 1],
    ['audio from far behind', { audioDurationMs: 27_000 }, {}, 1],
    ['an end behind the video’s', {}, { durationMs: 98_000 }, 3],
    ['an end before the video’s, though the last', {}, { durationMs: 102_000 }, 3],
    ['too many bytes', { sizeBytes: 5 * 1024 * 1024 }, {}, 1],
    ['a number that is one too many', {}, { chunkCount: 3 }, 3],
  ])('refuses a chunk with %s', (_what, patch, whole, chunk) => {
    expect(faultOf(patch, whole, chunk)).toMatch(new RegExp(`^chunk [${chunk - 1}${chunk}${chunk + 1}] `))
  })

  it('refuses more than two minutes in one chunk, and a thousand parts of a short video', () => {
    const long = chunksOf([130_000], 150_000)
    expect(findAudioFault({ durationMs: 150_000, chunks: long, chunkCount: 2 }, [])).toContain('too long')
    const many = { ...CUT[3], chunk: 1000 } as ClientAudioChunk
    expect(findAudioFault({ durationMs: DURATION_MS, chunks: [many], chunkCount: null }, [])).toContain('too many')
  })

  it('refuses what does not fit to chunks that were taken before', () => {
    const [, second] = CUT
    const before = [{ chunk: 0, startMs: 0, endMs: 9_000 }]
    const after = [{ chunk: 2, startMs: 31_000, endMs: 60_000 }]
    const chunks = [second as ClientAudioChunk]
    expect(findAudioFault({ durationMs: DURATION_MS, chunks, chunkCount: null }, before)).toContain('does not begin')
    expect(findAudioFault({ durationMs: DURATION_MS, chunks, chunkCount: null }, after)).toContain('does not end')
  })
})
