import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCurrentStep } from './current-step.tsx'

const steps = [{ start: 2 }, { start: 10 }, { start: 20.5 }]

describe('findCurrentStep', () => {
  test('has none before the first step and in an empty list', () => {
    expect(findCurrentStep(steps, 1.5)).toBeNull()
    expect(findCurrentStep([], 5)).toBeNull()
  })

  test('changes at the start of a step and stays in the gap after it', () => {
    expect(findCurrentStep(steps, 2)).toBe(steps[0])
    expect(findCurrentStep(steps, 9.8)).toBe(steps[0])
    expect(findCurrentStep(steps, 10)).toBe(steps[1])
    expect(findCurrentStep(steps, 9_999)).toBe(steps[2])
  })

  test('stays with the step that was said last through a pause, until the next begins', () => {
    const apart = [
      { start: 0, end: 18 },
      { start: 107, end: 125 },
    ]
    expect([18, 60, 106.8, 107].map((seconds) => findCurrentStep(apart, seconds))).toEqual([
      apart[0],
      apart[0],
      apart[0],
      apart[1],
    ])
  })

  test('counts a seek that lands a frame early as the step that was asked for', () => {
    expect(findCurrentStep(steps, 20.467)).toBe(steps[2])
  })

  test('agrees with a plain search from the end', () => {
    const starts = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 40 })
    fc.assert(
      fc.property(starts, fc.integer({ min: 0, max: 600 }), (times, now) => {
        const ordered = times.toSorted((a, b) => a - b).map((start) => ({ start }))
        expect(findCurrentStep(ordered, now)).toBe(ordered.findLast((step) => step.start <= now) ?? null)
      }),
    )
  })
})
