import { expect, it } from 'vitest'
import { choosePassages } from './choose-passages.ts'
import { SIGN_NAMES, type Signs } from './measure-passages.ts'
import type { TutorIndex } from './open-index.ts'
import { indexOf } from './testing/narration.ts'

/** Ten words a segment, each word once, so that only the scores that a test gives distinguish passages. */
const INDEX = indexOf(Array.from({ length: 60 }, (_, at) => Array.from({ length: 10 }, () => `word${at}`).join(' ')))
const NO_SIGNS = Object.fromEntries(SIGN_NAMES.map((name) => [name, 0])) as Signs

/** @param scoreOf by the segment that a passage begins with */
function choose(scoreOf: (segment: number) => number, index: TutorIndex = INDEX): number[] {
  const measured = index.passages.map((passage) => ({ passage, signs: NO_SIGNS, share: 0 }))
  const scores = index.passages.map(({ firstSegment }) => scoreOf(firstSegment))
  return choosePassages(index, { measured, scores }).map(({ firstSegment }) => firstSegment)
}

const NEVER = -50

it('takes the likeliest passage first', () => {
  expect(choose((segment) => (segment === 30 ? 5 : segment === 10 ? 4 : NEVER)).slice(0, 2)).toEqual([30, 10])
})

it('prefers what is unread to what was read around a better passage', () => {
  // The best one, of eight segments, is read with three more; the next one begins with these.
  const crowded = choose((segment) => ({ 20: 5, 28: 3, 45: 3 })[segment] ?? NEVER)
  expect(crowded[0]).toBe(20)
  expect(crowded.indexOf(45)).toBe(1)
})

it('chooses none that overlaps another, and no more than six', () => {
  const chosen = choose((segment) => Math.sin(segment))
  expect(chosen).toHaveLength(6)
  for (const one of chosen)
    for (const other of chosen) if (one !== other) expect(Math.abs(one - other)).toBeGreaterThanOrEqual(8)
})

it('chooses nothing of a recording without words', () => {
  expect(choose(() => 0, indexOf(['…']))).toEqual([])
})
