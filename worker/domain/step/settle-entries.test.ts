import { describe, expect, it } from 'vitest'
import { BLANK_STEP } from '#contract/step.ts'
import type { Outlined } from './outlined.ts'
import { settleEntries } from './settle-entries.ts'
import type { StepToStore } from './tidy-section.ts'

/** Steps of half a minute, each of three segments of ten seconds. */
const steps = [0, 30, 60].map((second, index): StepToStore => {
  return {
    ...BLANK_STEP,
    id: `r1-s${index * 3}`,
    title: `Step ${index}`,
    description: '',
    startMs: second * 1_000,
    endMs: (second + 30) * 1_000,
    originalText: 'One. Two. Three.',
    segmentIds: [0, 1, 2].map((each) => `s${index * 3 + each}`),
    proposedCallouts: [],
    isDraft: false,
    run: 1,
    editedAt: null,
  }
})

const atStart = (step: number): Outlined => ({ id: `r1-s${step * 3}`, title: `At ${step}` })
const inside = (step: number, second: number): Outlined => ({
  id: `r1-s${step * 3}`,
  inside: { segmentId: `at ${second}`, startMs: second * 1_000, textAt: 5 },
  title: `At ${second}`,
})
/** Where entries begin, in seconds. */
const settle = (entries: Outlined[], odds = 0) =>
  settleEntries(entries, steps, () => odds).map((entry) => {
    const startMs = entry.inside?.startMs ?? steps.find(({ id }) => id === entry.id)?.startMs ?? -1
    return startMs / 1_000
  })

describe('settleEntries', () => {
  it('moves an entry by at most ten seconds to where a step begins', () => {
    expect(settle([atStart(0), inside(1, 40), inside(2, 71)])).toEqual([0, 30, 71])
    expect(settle([atStart(0), inside(0, 19), inside(1, 50)])).toEqual([0, 19, 60])
  })

  it('moves none to where another one begins, before it or after it', () => {
    expect(settle([atStart(0), inside(0, 8), atStart(1), inside(1, 37)])).toEqual([0, 8, 30, 37])
    expect(settle([atStart(0), inside(0, 25), atStart(1)])).toEqual([0, 25, 30])
    expect(settle([atStart(0), inside(0, 24), inside(1, 35)])).toEqual([0, 30, 35])
  })

  it('leaves out an entry in the middle of a step where nothing speaks for a beginning', () => {
    expect(settle([atStart(0), inside(1, 45), atStart(2)], -3)).toEqual([0, 60])
    expect(settle([atStart(0), inside(1, 45), atStart(2)], -2)).toEqual([0, 45, 60])
  })

  it('leaves the first entry and those that begin with a step as they are', () => {
    expect(settle([inside(0, 6), atStart(1), atStart(2)], -9)).toEqual([6, 30, 60])
    expect(settle([])).toEqual([])
  })
})
