import { describe, expect, it } from 'vitest'
import { judgeStep } from './step-progress.ts'

const STEP = { start: 10, end: 30 }
const of = (once: [number, number][], again: [number, number][] = []) => judgeStep(STEP, { once, again })

describe('judgeStep', () => {
  it('is reached with its first second, and finished with nine tenths of them', () => {
    expect(of([[0, 10]])).toEqual({ isReached: false, isFinished: false, isRewatched: false })
    expect(of([[29, 40]])).toMatchObject({ isReached: true, isFinished: false })
    expect(of([[10, 27]])).toMatchObject({ isReached: true, isFinished: false })
    expect(of([[10, 28]])).toMatchObject({ isReached: true, isFinished: true })
    expect(
      of([
        [10, 19],
        [21, 30],
      ]),
    ).toMatchObject({ isFinished: true })
  })

  it('is rewatched when three seconds of it were seen again', () => {
    expect(of([[0, 30]], [[0, 12]]).isRewatched).toBe(false)
    expect(of([[0, 30]], [[0, 13]]).isRewatched).toBe(true)
  })

  it('takes a step without length for its second', () => {
    expect(judgeStep({ start: 5.4, end: 5.4 }, { once: [[5, 6]], again: [] }).isFinished).toBe(true)
    expect(judgeStep({ start: 5.4, end: 5.4 }, { once: [[6, 9]], again: [] }).isReached).toBe(false)
  })
})
