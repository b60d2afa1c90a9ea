import { describe, expect, it } from 'vitest'
import type { ScreenBlock } from '#contract/screen.ts'
import { comparableLines, countCommands, countErrors, errorsIn } from './measure.ts'

it('counts the letters that differ from the best place in a text', () => {
  expect(errorsIn('ls -a', '$ ls -a')).toBe(0)
  expect(errorsIn('ls -a', '1s -a')).toBe(1)
  expect(errorsIn('abc', '')).toBe(3)
})

it('counts a missed line whole, and columns as lines of their own', () => {
  expect(comparableLines(['  a  b     c', ''])).toEqual(['a b', 'c'])
  expect(countErrors(['open', 'lid'], ['open'])).toEqual({ letters: 7, errors: 3 })
})

describe('countCommands', () => {
  const block = (text: string, startMs: number): ScreenBlock => ({
    text,
    startMs,
    endMs: startMs + 2_000,
    box: { x: 0, y: 0, width: 0.1, height: 0.1 },
    kind: 'command',
    confidence: 0.9,
  })
  const shown = [
    { text: 'ls', fromMs: 1_000, untilMs: 3_000 },
    { text: 'clear', fromMs: 10_000, untilMs: 12_000 },
  ]

  it('wants each command exact and at its time', () => {
    expect(countCommands(shown, [block('ls', 1_000), block('clear', 50_000), block('1s', 1_000)])).toMatchObject({
      shown: 2,
      exact: 1,
      blocks: 3,
      missed: [{ text: 'clear' }],
      wrong: [{ text: '1s' }],
    })
  })
})
