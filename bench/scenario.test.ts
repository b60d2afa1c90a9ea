import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  alignCells,
  compareRecorded,
  formatRatio,
  gate,
  judgeRatio,
  median,
  quantile,
  ratioGate,
  ratioOfRounds,
  spreadOf,
} from './scenario.ts'

describe('median', () => {
  it('is the middle figure whatever the order, and the mean of the middle two', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 100])).toBe(3.5)
    expect(median([])).toBeNaN()
  })
})

describe('quantile', () => {
  it('is the smallest figure that so many do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at)
    expect([0, 0.01, 0.95, 0.951, 1].map((share) => quantile(hundred, share))).toEqual([1, 1, 95, 96, 100])
    expect(quantile([], 0.5)).toBeNaN()
  })
})

describe('spreadOf', () => {
  it('has the least and the most beside it', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ least: 1, median: 2, most: 3 })
  })
})

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

  it('shows the noise beside the ratio', () => {
    expect(formatRatio(rounds(1.5, 1, 1.25))).toBe('1.25 × (1.00–1.50)')
  })
})

describe('gate', () => {
  it('shows the limit, which is still within it', () => {
    const most = { what: 'size', value: '25.0 kB (≤ 25)', verdict: 'met' }
    expect(gate('size', 25, { atMost: 25 }, '25.0 kB')).toEqual(most)
    expect(gate('size', 25.1, { atMost: 25 }, '25.1 kB').verdict).toBe('missed')
    expect(gate('score', 0.75, { atLeast: 0.75 }, '.75')).toEqual({
      what: 'score',
      value: '.75 (≥ 0.75)',
      verdict: 'met',
    })
    expect(gate('score', Number.NaN, { atLeast: 0.75 }, 'none').verdict).toBe('missed')
  })

  it('shows the noise of a ratio over several rounds', () => {
    const row = { what: 'ours / theirs', value: '1.40 × (1.20–1.50) (≤ 1.25)', verdict: 'unclear' }
    expect(ratioGate('ours / theirs', rounds(1.2, 1.4, 1.5), { atMost: 1.25 })).toEqual(row)
  })
})

describe('compareRecorded', () => {
  const file = pathToFileURL(join(mkdtempSync(join(tmpdir(), 'adapt-recorded-')), 'recorded.json'))

  it('misses what is not as it was recorded, and nothing where nothing is', () => {
    expect(compareRecorded(file, { f1: 0.4 }, { record: false })).toEqual([])
    expect(compareRecorded(file, { f1: 0.4 }, { record: true })).toEqual([])
    expect(compareRecorded(file, { f1: 0.5, pk: 0.3 }, { record: false })).toEqual([
      { what: 'f1', value: 'recorded 0.4, now 0.5', verdict: 'missed' },
      { what: 'pk', value: 'recorded nothing, now 0.3', verdict: 'missed' },
    ])
  })
})

describe('alignCells', () => {
  it('puts the first cells to the left and the others to the right', () => {
    const lines = alignCells([
      ['', 'mean', 'p95'],
      ['first token', '1', '10000'],
    ])
    expect(lines).toEqual(['              mean     p95', 'first token      1   10000'])
  })
})
