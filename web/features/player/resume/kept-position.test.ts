import { beforeEach, describe, expect, test, vi } from 'vitest'
import { keepPosition, readBeginning, readPosition } from './kept-position.ts'

const NOTHING = new URLSearchParams()

beforeEach(() => localStorage.clear())

describe('readBeginning', () => {
  test('resumes where the video was left, unless the address names a time', () => {
    keepPosition('m1', 93.7, 200)
    expect(readBeginning('m1', NOTHING)).toEqual({ startAtS: 93, isResumed: true })
    expect(readBeginning('m1', new URLSearchParams('t=1m'))).toEqual({ startAtS: 60, isResumed: false })
    expect(readBeginning('m2', NOTHING)).toEqual({ startAtS: 0, isResumed: false })
  })

  test.each([
    ['hardly begun', 4, 200],
    ['finished', 197, 200],
  ])('begins at the beginning of a video that was %s', (_what, seconds, durationS) => {
    keepPosition('m1', 90, 200)
    keepPosition('m1', seconds, durationS)
    expect(readBeginning('m1', NOTHING)).toEqual({ startAtS: 0, isResumed: false })
  })

  test.each(['nonsense', '7', '[["m1","90"]]', '[["m1",-3]]', '{"m1":90}'])('has no use for %s', (text) => {
    localStorage.setItem('adapt_positions', text)
    expect(readBeginning('m1', NOTHING).startAtS).toBe(0)
  })
})

describe('keepPosition', () => {
  test('keeps the hundred that were seen last, also when the length is unknown', () => {
    for (let index = 0; index <= 100; index++) keepPosition(`m${index}`, 50, Number.NaN)
    keepPosition('m50', 60, 200)
    expect(readPosition('m0')).toBeNull()
    expect([readPosition('m1'), readPosition('m50'), readPosition('m100')]).toEqual([50, 60, 50])
  })

  test('does without a browser that keeps nothing', () => {
    const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    keepPosition('m1', 90, 200)
    expect(readPosition('m1')).toBeNull()
    blocked.mockRestore()
  })
})
