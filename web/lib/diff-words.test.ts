import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffWords, type WordRun } from './diff-words.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 }).map((words) => words.join(' '))

function sideOf(runs: WordRun[], kind: 'removed' | 'added'): string {
  return runs
    .filter((run) => run.kind === 'same' || run.kind === kind)
    .map((run) => run.text)
    .join(' ')
}

describe('diffWords', () => {
  test.each([
    ['', '', ''],
    ['open the file', 'open the file', '=open the file'],
    ['open the file', 'open a new file', '=open|-the|+a new|=file'],
    ['use cooper netties now', 'use Kubernetes now', '=use|-cooper netties|+Kubernetes|=now'],
    ['one two', 'three four', '-one two|+three four'],
    ['one', '', '-one'],
    ['', 'one', '+one'],
  ])('diffWords from "%s" to "%s"', (before, after, runs) => {
    const marks = { same: '=', removed: '-', added: '+' }
    expect(
      diffWords(before, after)
        .map((run) => marks[run.kind] + run.text)
        .join('|'),
    ).toBe(runs)
  })

  test('gives both texts back, and never two runs of one kind in a row', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const runs = diffWords(before, after)
        expect(sideOf(runs, 'removed')).toBe(before)
        expect(sideOf(runs, 'added')).toBe(after)
        expect(runs.every((run, index) => run.kind !== runs[index - 1]?.kind)).toBe(true)
      }),
    )
  })

  test('shows long texts that have little in common as replaced, and a change in a long text as one', () => {
    const long = 'a '.repeat(600).trim()
    const other = `a ${'b '.repeat(600).trim()}`
    expect(diffWords(long, other).map((run) => run.kind)).toEqual(['removed', 'added'])
    expect(diffWords(long, `${long} b`).map((run) => run.kind)).toEqual(['same', 'added'])
  })
})
