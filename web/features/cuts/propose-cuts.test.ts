import { expect, test } from 'vitest'
import { proposeCuts } from './propose-cuts.ts'

const LINES = [
  { start: 4, end: 8, text: 'Now we open the.' },
  { start: 9, end: 13, text: 'Now we open the cover of the printer.' },
  { start: 15, end: 20, text: 'Press the button.' },
  { start: 26, end: 30, text: 'Press it twice and wait.' },
]

test('finds pauses that are longer than people need, and beginnings that were said again', () => {
  expect(proposeCuts(LINES, 33, [])).toEqual([
    { kind: 'pause', start: 0, end: 3.6 },
    { kind: 'falseStart', start: 4, end: 9 },
    { kind: 'pause', start: 20.4, end: 25.6 },
    { kind: 'pause', start: 30.4, end: 33 },
  ])
})

test('offers nothing that is left out already', () => {
  const cuts = [
    [0, 9],
    [20, 25],
    [30, 33],
  ] as const
  expect(proposeCuts(LINES, 33, cuts)).toEqual([{ kind: 'pause', start: 25, end: 25.6 }])
})

test('a sentence that is said twice on purpose, and one that only begins alike, stay', () => {
  const said = (...texts: string[]) => texts.map((text, at) => ({ text, start: at * 3, end: at * 3 + 2.5 }))
  expect(proposeCuts(said('Press the button.', 'Press the button.'), 6, [])).toEqual([])
  expect(proposeCuts(said('Open the left door.', 'Open the right door slowly.'), 6, [])).toEqual([])
  expect(proposeCuts(said('Open it.', 'Open it slowly.'), 6, [])).toEqual([])
})

test('speakers who talk over each other make no pause', () => {
  const lines = [
    { start: 0, end: 10, text: 'One who speaks for long.' },
    { start: 2, end: 3, text: 'Yes.' },
    { start: 11, end: 12, text: 'Then the next.' },
  ]
  expect(proposeCuts(lines, 12, [])).toEqual([])
})

test('a part of some minutes without speech is no pause', () => {
  expect(proposeCuts([{ start: 0, end: 2, text: 'Now watch me.' }], 200, [])).toEqual([])
})

test('a video without speech has no pauses', () => {
  expect(proposeCuts([], 60, [])).toEqual([])
})
