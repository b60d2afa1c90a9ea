import { expect, it } from 'vitest'
import { findHeading } from './chapters.ts'

it('stands the title of a chapter over its first step, and an end over the step behind its last', () => {
  const steps = [{}, { chapter: 'A' }, { chapter: 'A' }, { chapter: 'B' }, { chapter: null }, {}]
  const headings = steps.map((_, index) => findHeading(steps, index))
  expect(headings).toEqual([undefined, 'A', undefined, 'B', null, undefined])
})

it('begins with a chapter where the first step has one', () => {
  expect(findHeading([{ chapter: 'A' }], 0)).toBe('A')
})
