import { expect, it } from 'vitest'
import { endSentences } from './end-sentences.ts'

const segment = (text: string, startMs = 0, endMs = startMs + 1_000) => ({ id: text, startMs, endMs, text })
const endOf = (first: string, next: string, gapMs = 0) =>
  endSentences([segment(first), segment(next, 1_000 + gapMs)]).map(({ text }) => text)[0]

it.each([
  ['before a capital letter', 'Open the cover', 'Then wait', 0, 'Open the cover.'],
  ['at a pause', 'open the', 'cover', 700, 'open the.'],
  [
    'after a word that can end a sentence, where nothing has capitals',
    'open the cover',
    'then wait',
    0,
    'open the cover.',
  ],
])('ends a sentence %s', (_, first, next, gapMs, ended) => {
  expect(endOf(first, next, gapMs)).toBe(ended)
})

it.each([
  ['that goes on', 'Open the', 'cover', 0],
  ['that has its stop', 'Open the cover.', 'Then wait', 900],
  ['that stops at a comma', 'If it is closed,', 'Open it', 900],
  ['without words', '…', 'Open it', 900],
])('leaves a segment %s as it is', (_, first, next, gapMs) => {
  expect(endOf(first, next, gapMs)).toBe(first)
})
