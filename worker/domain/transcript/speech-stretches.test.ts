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

  it('lists long parts before, between and after what is said', () => {
    expect(list([span(20_000, 30_000), span(31_000, 40_000), span(70_000, 80_000)], 100_000)).toEqual([
      span(0, 20_000),
      span(40_000, 70_000),
      span(80_000, 100_000),
    ])
  })

  it('leaves out pauses that a narrator may make', () => {
    expect(list([span(19_999, 30_000), span(49_999, 80_001)], 100_000)).toEqual([])
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
        const long = [...draws.map(({ pauseMs }) => pauseMs), restMs].filter((ms) => ms >= 20_000)
        expect(quiet.map((part) => part.endMs - part.startMs)).toEqual(long)
      }),
    )
  })
})
