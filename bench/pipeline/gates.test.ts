import { describe, expect, it } from 'vitest'
import { judge } from './gates.ts'
import type { MeasuredRun, OurRow, Round } from './measure.ts'

const run: MeasuredRun = {
  readyS: 12,
  writtenS: 9,
  firstStepS: 3,
  stepCount: 60,
  floorS: 10,
  floorFirstStepS: 3,
  ownMedianMs: 20,
  ownP95Ms: 40,
  d1StatementsPerVideoMin: 10,
  d1RowsReadPerVideoMin: 100,
  d1RowsWrittenPerVideoMin: 20,
  r2OperationsPerVideoMin: 5,
  queueMessagesPerVideoMin: 3,
  mostSpeechCallsAtOnce: 60,
  mostLanguageCallsAtOnce: 26,
}
const round: Round = { server: run, client: run, floorRunS: 10 }
const short: OurRow = { minutes: 10, profile: 'mid', serialS: 40, serialReadyS: 60, rounds: [round, round, round] }

function hour(...worse: Partial<Round>[]): OurRow {
  return {
    minutes: 60,
    profile: 'mid',
    serialS: 90,
    serialReadyS: 120,
    rounds: worse.map((each) => ({ ...round, ...each })),
  }
}

function verdicts(rows: OurRow[], verdict: string): string[] {
  return judge(rows).flatMap((gate) => (gate.decides && gate.verdict === verdict ? [gate.claim] : []))
}

describe('judge', () => {
  it('misses nothing when every ratio is at its limit', () => {
    const limit: Partial<Round> = {
      floorRunS: 9.6,
      server: { ...run, d1StatementsPerVideoMin: 11, d1RowsReadPerVideoMin: 160, r2OperationsPerVideoMin: 5.5 },
      client: { ...run, readyS: 13.2 },
    }
    expect(verdicts([short, hour(limit, limit, limit)], 'met')).toHaveLength(13)
  })

  it.each<[string, Partial<Round>]>([
    ['READY / floor', { floorRunS: 9.5 }],
    ['serial / ours, until READY', { server: { ...run, readyS: 12.1 } }],
    ['serial / ours, until all steps', { server: { ...run, writtenS: 9.1 } }],
    ['READY of 60 min / of 10 min', { client: { ...run, readyS: 13.3 } }],
    ['first step / READY', { server: { ...run, firstStepS: 3.1 } }],
    ['D1 statements', { client: { ...run, d1StatementsPerVideoMin: 11.1 } }],
    ['D1 rows written', { client: { ...run, d1RowsWrittenPerVideoMin: 22.1 } }],
    ['D1 rows read', { server: { ...run, d1RowsReadPerVideoMin: 161 } }],
    ['R2 operations', { server: { ...run, r2OperationsPerVideoMin: 5.6 } }],
  ])('misses %s just beyond its limit in all rounds, and nothing else', (claim, worse) => {
    const rows = [short, hour(worse, worse, worse)]
    expect(verdicts(rows, 'missed')).toEqual([expect.stringContaining(claim)])
  })

  it('calls unclear what one of the rounds meets', () => {
    const rows = [short, hour({ floorRunS: 8 }, {}, { floorRunS: 8 })]
    expect(verdicts(rows, 'unclear')).toEqual([expect.stringContaining('READY / floor')])
    expect(verdicts(rows, 'missed')).toEqual([])
  })

  it('has no verdict on what was not measured', () => {
    const gates = judge([short])
    expect(gates.map((gate) => gate.verdict)).toEqual(gates.map(() => null))
  })

  it('prints the other profiles for information', () => {
    const slow: OurRow = { ...hour({ floorRunS: 1 }), profile: 'slow' }
    expect(verdicts([short, hour({}), slow], 'missed')).toEqual([])
    expect(judge([slow]).some((gate) => gate.decides && gate.verdict === 'missed')).toBe(true)
  })
})
