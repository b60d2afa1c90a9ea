import { describe, expect, it } from 'vitest'
import { judgeRatio, ratioOfRounds, tellRatio } from './rounds.ts'

const rounds = (...ratios: number[]) => ratioOfRounds(ratios.map((own) => ({ own: own * 8, other: 8 })))

describe('judgeRatio', () => {
  it('is met when the middle round is within the limit', () => {
    expect(judgeRatio(rounds(1, 1.25, 3), { atMost: 1.25 })).toBe('met')
    expect(judgeRatio(rounds(9, 10, 12), { atLeast: 10 })).toBe('met')
  })

  it('is missed when every round is beyond the limit, and unclear when only most are', () => {
    expect(judgeRatio(rounds(1.3, 1.4, 1.5), { atMost: 1.25 })).toBe('missed')
    expect(judgeRatio(rounds(1.2, 1.4, 1.5), { atMost: 1.25 })).toBe('unclear')
    expect(judgeRatio(rounds(7, 8, 9), { atLeast: 10 })).toBe('missed')
    expect(judgeRatio(rounds(7, 8, 11), { atLeast: 10 })).toBe('unclear')
  })

  it('tells the noise beside the ratio', () => {
    expect(tellRatio(rounds(1.5, 1, 1.25))).toBe('1.25 × (1.00–1.50)')
  })
})
