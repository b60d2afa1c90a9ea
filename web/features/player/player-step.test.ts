import { describe, expect, test } from 'vitest'
import { findNextStart, findPreviousStart, findStepEnd, findStepIndex } from './player-step.ts'

const STEPS = [
  { id: 'a', title: 'A', start: 2, end: 10 },
  { id: 'b', title: 'B', start: 10, end: 25 },
  { id: 'c', title: 'C', start: 20, end: 40 },
]

describe('findStepIndex', () => {
  test.each([
    [0, -1],
    [1.95, 0],
    [9.8, 0],
    [10, 1],
    [999, 2],
  ])('findStepIndex at %s s it is step %s', (seconds, index) => {
    expect(findStepIndex(STEPS, seconds)).toBe(index)
  })
})

describe('findNextStart and findPreviousStart', () => {
  test.each([
    { at: 0, next: 2, previous: null },
    { at: 3, next: 10, previous: 2 },
    { at: 12, next: 20, previous: 2 },
    { at: 13.5, next: 20, previous: 10 },
    { at: 30, next: null, previous: 20 },
  ])('lead from $at s to $next and $previous', ({ at, next, previous }) => {
    expect(findNextStart(STEPS, at)).toBe(next)
    expect(findPreviousStart(STEPS, at)).toBe(previous)
  })

  test('lead out of the pause after a step to the next, or back to its beginning', () => {
    const steps = [
      { id: 'a', title: 'A', start: 0, end: 18 },
      { id: 'b', title: 'B', start: 107, end: 125 },
    ]
    expect([findStepIndex(steps, 60), findNextStart(steps, 60), findPreviousStart(steps, 60)]).toEqual([0, 107, 0])
  })

  test('findNextStart and findPreviousStart do not stop at a first step that begins at once', () => {
    const steps = [{ id: 'z', title: 'Z', start: 0.6, end: 2 }, ...STEPS]
    expect(findNextStart(steps, 0)).toBe(2)
  })

  test('lead nowhere without steps', () => {
    expect([findNextStart([], 5), findPreviousStart([], 5)]).toEqual([null, null])
  })
})

describe('findStepEnd', () => {
  test.each([
    ['its own end', 0, 9.85],
    ['the beginning of the next, when they overlap', 1, 19.85],
    ['the end of the video', 2, 29.85],
  ])('is just before %s', (_what, index, end) => {
    expect(findStepEnd(STEPS, index, 30)).toBeCloseTo(end)
  })

  test('is the last word before a pause', () => {
    const steps = [
      { id: 'a', title: 'A', start: 0, end: 18 },
      { id: 'b', title: 'B', start: 107, end: 125 },
    ]
    expect(findStepEnd(steps, 0, 125)).toBe(18)
  })

  test('is never before the beginning, and needs no length of the video', () => {
    expect(findStepEnd([{ id: 'a', title: 'A', start: 5, end: 5 }], 0, 5)).toBe(5)
    expect(findStepEnd(STEPS, 2, Number.NaN)).toBeCloseTo(39.85)
  })
})
