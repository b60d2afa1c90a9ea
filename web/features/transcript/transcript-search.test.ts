import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMatches } from './transcript-search.tsx'

const LINES = [
  { id: 'a', text: 'Open the Settings, then open a door.' },
  { id: 'b', text: 'Nothing here.' },
  { id: 'c', text: 'ÖFFNEN: (open)' },
]

describe('findMatches', () => {
  test('finds every place, in upper and lower case', () => {
    expect(findMatches(LINES, ' open ')).toEqual([
      { lineId: 'a', start: 0, end: 4 },
      { lineId: 'a', start: 24, end: 28 },
      { lineId: 'c', start: 9, end: 13 },
    ])
    expect(findMatches(LINES, 'öffnen')).toHaveLength(1)
    expect(findMatches(LINES, 'settings,  then')).toEqual([{ lineId: 'a', start: 9, end: 23 }])
  })

  test('finds the lines of a speaker', () => {
    const said = { id: 'd', text: 'Ada is my name.', speaker: 'Ada Example' }
    expect(findMatches([said], 'ada')).toEqual([
      { lineId: 'd', isSpeaker: true, start: 0, end: 3 },
      { lineId: 'd', start: 0, end: 3 },
    ])
  })

  test('finds nothing for an empty search', () => {
    expect(findMatches(LINES, '  ')).toEqual([])
  })

  test('matches special characters literally', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (words) => {
        fc.pre(words.trim() !== '')
        const text = `before ${words.trim()} after`
        expect(findMatches([{ id: 'x', text }], words).map(({ start, end }) => text.slice(start, end))).toContain(
          words.trim(),
        )
      }),
    )
  })
})
