import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinStretches, listWithoutSpeech, type Span } from './speech-stretches.ts'

const span = (startMs: number, endMs: number) => ({ startMs, endMs })

describe('joinStretches', () => {
  it('joins what is less than twenty seconds apart, and adds up what is said', () => {
    const segments = [span(1_000, 4_000), span(23_999, 26_000), span(46_000, 50_000)]
    expect(joinStretches(segments)).toEqual([
      { startMs: 1_000, endMs: 26_000, spokenMs: 5_001 },
      { startMs: 46_000, endMs: 50_000, spokenMs: 4_000 },
    ])
  })
})

const READY = { status: 'READY', source: 'speech' } as const
const list = (segments: Span[], durationMs: number) => listWithoutSpeech({ ...READY, durationMs }, segments)

describe('listWithoutSpeech', () => {
  it.each([[{ status: 'PROCESSING' }], [{ source: 'captions' }], [{ source: null }], [{ durationMs: null }]] as const)(
    'says nothing of a module with %o',
    (fields) => {
      const module = { ...READY, durationMs: 100_000 }
      expect(listWithoutSpeech(module, [])).toEqual([span(0, 100_000)])
      expect(listWithoutSpeech({ ...module, ...fields }, [])).toEqual([])
    },
  )

  it('lists parts of a minute before, between and after what is said', () => {
    expect(list([span(60_000, 90_000), span(91_000, 120_000), span(180_000, 190_000)], 250_000)).toEqual([
      span(0, 60_000),
      span(120_000, 180_000),
      span(190_000, 250_000),
    ])
  })

  it('leaves out pauses in which a narrator works', () => {
    expect(list([span(59_999, 130_000), span(189_999, 190_001)], 250_000)).toEqual([])
  })

  it('lists a quarter of a short video, but no pause of a shorter one', () => {
    expect(list([span(0, 75_000)], 100_000)).toEqual([span(75_000, 100_000)])
    expect(list([span(0, 75_001)], 100_000)).toEqual([])
    expect(list([span(0, 20_001)], 40_000)).toEqual([])
    expect(list([span(0, 20_000)], 40_000)).toEqual([span(20_000, 40_000)])
  })

  it('covers with the stretches all but short parts', () => {
    const lengths = fc.array(fc.record({ pauseMs: fc.nat(60_000), lengthMs: fc.nat(15_000) }), { maxLength: 20 })
    fc.assert(
      fc.property(lengths, fc.nat(60_000), (draws, restMs) => {
        let endMs = 0
        const segments = draws.map(({ pauseMs, lengthMs }) => {
          const startMs = endMs + pauseMs
          endMs = startMs + lengthMs
          return span(startMs, endMs)
        })
        const quiet = list(segments, endMs + restMs)
        expect(
          quiet.every((part) => segments.every((said) => said.endMs <= part.startMs || said.startMs >= part.endMs)),
        ).toBe(true)
        const leastMs = Math.max(20_000, Math.min(60_000, (endMs + restMs) / 4))
        const pausesMs = joinStretches(segments).map(
          ({ startMs }, index, all) => startMs - (all[index - 1]?.endMs ?? 0),
        )
        const lastMs = segments.length === 0 ? endMs + restMs : restMs
        const long = [...pausesMs, lastMs].filter((ms) => ms >= leastMs)
        expect(quiet.map((part) => part.endMs - part.startMs)).toEqual(long)
      }),
    )
  })
})
