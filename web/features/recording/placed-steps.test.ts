import { describe, expect, it } from 'vitest'
import type { Recording } from '#contract/training/recording.ts'
import { placeSteps, suretyOf, toRequest, withPlaces } from './placed-steps.ts'

const step = (id: string, start: number | null, confidence = 1) => {
  return { id, title: id, proposed: start === null ? null : { start, end: start + 10, confidence } }
}

describe('the steps of a training in its new recording', () => {
  it('are sure, to be looked at, or missing', () => {
    expect([step('a', 1), step('b', 1, 0.4), step('c', null)].map(suretyOf)).toEqual(['sure', 'unsure', 'missing'])
  })

  it('have the proposed times, and missing ones that are kept come behind the step before', () => {
    const recording = { durationS: 100, steps: [step('a', 20), step('b', null), step('c', null), step('d', 5)] }
    expect(toRequest(placeSteps(recording, new Set(['a', 'b', 'd'])))).toEqual([
      { id: 'a', start: 20, end: 30 },
      { id: 'b', start: 30, end: 60 },
      { id: 'd', start: 5, end: 15 },
    ])
  })

  it('have the places that their images have shown, where nothing said has', () => {
    const silent = { steps: [step('a', 20), step('b', null), step('c', null)] } as Recording
    const places = new Map(['a', 'b'].map((id) => [id, { startMs: 5_000, endMs: 9_000, confidence: 0.7 }]))
    expect(withPlaces(silent, places).steps.map(({ proposed }) => proposed?.start ?? null)).toEqual([20, 5, null])
  })

  it('stay inside a video that is shorter than a new step', () => {
    expect(toRequest(placeSteps({ durationS: 12, steps: [step('a', null)] }, new Set(['a'])))).toEqual([
      { id: 'a', start: 0, end: 12 },
    ])
  })

  it('have the times that a person has typed, and the exact ones where nothing was changed', () => {
    const recording = { durationS: 100, steps: [step('a', 20.4), step('b', null)] }
    const typed = new Map([['a', { start: '00:25', end: '00:30' }]])
    expect(toRequest(placeSteps(recording, new Set(['a', 'b']), typed))).toEqual([
      { id: 'a', start: 25, end: 30.4 },
      { id: 'b', start: 30.4, end: 60.4 },
    ])
  })

  it.each([
    ['no time', { start: 'soon', end: '00:30' }, 'start'],
    ['an end before the beginning', { start: '00:25', end: '00:24' }, 'end'],
    ['no length', { start: '00:25', end: '00:25' }, 'end'],
    ['an end behind the video', { start: '00:25', end: '01:42' }, 'end'],
  ])('cannot be taken with %s', (_, times, field) => {
    const placed = placeSteps({ durationS: 100, steps: [step('a', 20)] }, new Set(['a']), new Map([['a', times]]))
    expect(Object.keys(placed[0]?.problems ?? {})).toEqual([field])
    expect(toRequest(placed)).toBeNull()
  })
})
