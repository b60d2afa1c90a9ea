import { describe, expect, it } from 'vitest'
import { placeSteps, suretyOf } from './placed-steps.ts'

const step = (id: string, start: number | null, confidence = 1) => {
  return { id, title: id, proposed: start === null ? null : { start, end: start + 10, confidence } }
}

describe('the steps of a training in its new recording', () => {
  it('are sure, to be looked at, or missing', () => {
    expect([step('a', 1), step('b', 1, 0.4), step('c', null)].map(suretyOf)).toEqual(['sure', 'unsure', 'missing'])
  })

  it('have the proposed times, and missing ones that are kept come behind the step before', () => {
    const recording = { durationS: 100, steps: [step('a', 20), step('b', null), step('c', null), step('d', 5)] }
    expect(placeSteps(recording, new Set(['a', 'b', 'd']))).toEqual([
      { id: 'a', start: 20, end: 30 },
      { id: 'b', start: 30, end: 60 },
      { id: 'd', start: 5, end: 15 },
    ])
  })

  it('stay inside a video that is shorter than a new step', () => {
    expect(placeSteps({ durationS: 12, steps: [step('a', null)] }, new Set(['a']))).toEqual([
      { id: 'a', start: 0, end: 12 },
    ])
  })
})
