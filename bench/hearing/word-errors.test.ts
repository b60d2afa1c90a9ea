import { describe, expect, it } from 'vitest'
import { comparableWords, wordErrorRate } from '#local/testing/word-error-rate.ts'
import { countAtSeams, findErrors, type WordTime, withoutKnown } from './word-errors.ts'

const SAID = 'open the menu and select a new project'

function listen(text: string): WordTime[] {
  return comparableWords(text).map((word, index) => ({ text: word, timeMs: index * 1_000 }))
}

function errorsOf(text: string): string[] {
  return findErrors(comparableWords(SAID), listen(text)).map(({ position }) => position)
}

describe('findErrors', () => {
  it('names the words that are wrong or missing, and where there are too many', () => {
    expect(errorsOf(SAID)).toEqual([])
    expect(errorsOf('open a menu and select a new project')).toEqual(['word 2'])
    expect(errorsOf('open the menu select a new project')).toEqual(['word 4'])
    expect(errorsOf('open the menu thank you and select a new project')).toEqual(['before 4', 'before 4'])
    expect(errorsOf('open the menu and select a new project again')).toEqual(['before 9'])
    expect(errorsOf('')).toHaveLength(8)
  })

  it('finds as many as the word error rate counts', () => {
    for (const text of ['open menu a select the new new project', 'and and and', `${SAID} ${SAID}`]) {
      expect(errorsOf(text)).toHaveLength(Math.round(wordErrorRate(SAID, text) * 8))
    }
  })

  it('places a missing word between its neighbours', () => {
    const [error] = findErrors(comparableWords(SAID), listen('open the menu select a new project'))
    expect(error?.timeMs).toBe(2_500)
  })
})

describe('withoutKnown', () => {
  it('leaves out what the other transcript has wrong too, as often as it has', () => {
    const known = findErrors(comparableWords(SAID), listen('open a menu thank and select a new project'))
    const errors = findErrors(comparableWords(SAID), listen('open my menu thank you and select a new object'))
    expect(withoutKnown(errors, known).map(({ position }) => position)).toEqual(['before 4', 'word 8'])
  })
})

describe('countAtSeams', () => {
  it('counts within three seconds of a cut, and the rest with the rest of the time', () => {
    const errors = [26_900, 27_000, 33_000, 33_100, 60_000].map((timeMs) => ({ position: '', timeMs }))
    expect(countAtSeams(errors, [30_000, 60_000], 90_000)).toEqual({
      seams: 2,
      near: 3,
      nearMs: 12_000,
      elsewhere: 2,
      elsewhereMs: 78_000,
    })
  })
})
