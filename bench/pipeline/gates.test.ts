import { describe, expect, it } from 'vitest'
import { judge } from './gates.ts'
import type { OurRow } from './measure-ours.ts'
import type { MeasuredRun } from './measure-run.ts'

const run: MeasuredRun = {
  readyS: 12,
  firstStepS: 3,
  stepCount: 60,
  floorS: 10,
  floorFirstStepS: 3,
  ownMedianMs: 20,
  ownP95Ms: 40,
  d1StatementsPerVideoMin: 10,
  r2OperationsPerVideoMin: 5,
  queueMessagesPerVideoMin: 3,
  mostSpeechCallsAtOnce: 60,
  mostLanguageCallsAtOnce: 26,
}
const short: OurRow = { minutes: 10, profile: 'mid', server: run, client: run }
const long: OurRow = { ...short, minutes: 60 }
const serial = [{ minutes: 60, profile: 'mid', readyS: 120 } as const]

function missed(rows: OurRow[], baseline: Parameters<typeof judge>[1] = serial): string[] {
  return judge(rows, baseline).flatMap((gate) => (gate.decides && gate.isMet === false ? [gate.claim] : []))
}

describe('judge', () => {
  it('misses nothing when every ratio is at its limit', () => {
    const limit: OurRow = {
      ...long,
      server: { ...run, floorS: 9.6, d1StatementsPerVideoMin: 11, r2OperationsPerVideoMin: 5.5 },
      client: { ...run, readyS: 15.6 },
    }
    expect(missed([short, limit])).toEqual([])
  })

  it.each([
    ['READY / floor', { server: { ...run, floorS: 9.5 } }],
    ['serial / ours', { server: { ...run, readyS: 12.1 } }],
    ['READY of 60 min / of 10 min', { client: { ...run, readyS: 15.7 } }],
    ['first step / READY', { server: { ...run, firstStepS: 3.1 } }],
    ['D1 statements', { client: { ...run, d1StatementsPerVideoMin: 11.1 } }],
    ['R2 operations', { server: { ...run, r2OperationsPerVideoMin: 5.6 } }],
  ])('misses %s just beyond its limit, and nothing else', (claim, worse: Partial<OurRow>) => {
    expect(missed([short, { ...long, ...worse }])).toEqual([expect.stringContaining(claim)])
  })

  it('does not count as missed what was not measured', () => {
    const gates = judge([short], [])
    expect(gates.map((gate) => gate.isMet)).toEqual(gates.map(() => null))
  })

  it('prints the other profiles for information', () => {
    const slow: OurRow = { ...long, profile: 'slow', server: { ...run, floorS: 1 } }
    expect(missed([short, long, slow])).toEqual([])
    expect(judge([slow], []).some((gate) => gate.decides && gate.isMet === false)).toBe(true)
  })
})
