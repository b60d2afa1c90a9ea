import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AudioArrived, ClientAudioPart } from '#contract/upload.ts'
import { findAudioFault } from './find-audio-fault.ts'

const DURATION_MS = 100_000

/** Parts as our cutter makes them, cut at the given times. */
function partsOf(cutsMs: number[], durationMs = DURATION_MS): ClientAudioPart[] {
  return [...cutsMs, durationMs].map((endMs, part) => {
    const startMs = cutsMs[part - 1] ?? 0
    const audioStartMs = Math.max(0, startMs - 1250)
    const audioDurationMs = Math.min(durationMs, endMs + 1250) - audioStartMs
    return { part, contentType: 'audio/mp4', sizeBytes: 200_000, audioStartMs, audioDurationMs, startMs, endMs }
  })
}

const CUT = partsOf([10_000, 30_000, 61_000])

function faultOf(patch: Partial<ClientAudioPart>, whole: Partial<AudioArrived> = {}, part = 1): string | null {
  const parts = CUT.map((each) => (each.part === part ? { ...each, ...patch } : each))
  return findAudioFault({ durationMs: DURATION_MS, parts, partCount: parts.length, ...whole }, [])
}

describe('findAudioFault', () => {
  it('finds nothing wrong with what our own cutter makes, in any pieces and any order', () => {
    const minutes = fc.array(fc.integer({ min: 25_000, max: 45_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 900 }), fc.infiniteStream(fc.nat()), (lengths, over, order) => {
        let endMs = 0
        const cuts = lengths.map((length) => (endMs += length))
        const parts = partsOf(cuts, endMs + 20_000)
        const known: ClientAudioPart[] = []
        const waiting = [...parts]
        while (waiting.length > 0) {
          const arrived = waiting.splice(order.next().value % waiting.length, 3)
          const partCount = waiting.length === 0 ? parts.length : null
          const durationMs = endMs + 20_000 - over
          expect(findAudioFault({ durationMs, parts: arrived, partCount }, known)).toBeNull()
          known.push(...arrived)
        }
      }),
    )
  })

  it('accepts parts that are reported twice', () => {
    expect(findAudioFault({ durationMs: DURATION_MS, parts: CUT, partCount: 4 }, CUT)).toBeNull()
    expect(findAudioFault({ durationMs: DURATION_MS, parts: [], partCount: 4 }, CUT)).toBeNull()
  })

  it.each<[string, Partial<ClientAudioPart>, Partial<AudioArrived>, number]>([
    ['a gap before it', { startMs: 10_001 }, {}, 1],
    ['a gap after it', { endMs: 29_999 }, {}, 1],
    ['a beginning other than the video’s', { startMs: 500 }, {}, 0],
    ['no length', { startMs: 30_000 }, {}, 1],
    ['sound from far before', { audioStartMs: 4_000 }, {}, 1],
    ['sound from far behind', { audioDurationMs: 27_000 }, {}, 1],
    ['an end behind the video’s', {}, { durationMs: 98_000 }, 3],
    ['an end before the video’s, though the last', {}, { durationMs: 102_000 }, 3],
    ['too many bytes', { sizeBytes: 5 * 1024 * 1024 }, {}, 1],
    ['a number that is one too many', {}, { partCount: 3 }, 3],
  ])('refuses a part with %s', (_what, patch, whole, part) => {
    expect(faultOf(patch, whole, part)).toMatch(new RegExp(`^part [${part - 1}${part}${part + 1}] `))
  })

  it('refuses more than two minutes in one part, and a thousand parts of a short video', () => {
    const long = partsOf([130_000], 150_000)
    expect(findAudioFault({ durationMs: 150_000, parts: long, partCount: 2 }, [])).toContain('too long')
    const many = { ...CUT[3], part: 1000 } as ClientAudioPart
    expect(findAudioFault({ durationMs: DURATION_MS, parts: [many], partCount: null }, [])).toContain('too many')
  })

  it('refuses what does not fit to parts that were taken before', () => {
    const [, second] = CUT
    const before = [{ part: 0, startMs: 0, endMs: 9_000 }]
    const after = [{ part: 2, startMs: 31_000, endMs: 60_000 }]
    const parts = [second as ClientAudioPart]
    expect(findAudioFault({ durationMs: DURATION_MS, parts, partCount: null }, before)).toContain('does not begin')
    expect(findAudioFault({ durationMs: DURATION_MS, parts, partCount: null }, after)).toContain('does not end')
  })
})
