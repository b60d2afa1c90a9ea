import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findEarlyProblems, type StepFields, validateAddedStep, validateStep } from './step-editing.ts'

const GOOD: StepFields = {
  title: 'Open the cover',
  description: 'Press the latch and lift the cover.',
  start: 10,
  end: 30,
  aliases: [],
}
const x = (count: number) => 'x'.repeat(count)
const names = (count: number) => Array.from({ length: count }, (_, index) => `alias ${index}`)

describe('validateStep', () => {
  it.each<[string, Partial<StepFields>]>([
    ['a title of 3 characters', { title: 'Cut' }],
    ['a title of 99 characters', { title: x(99) }],
    ['a description of 10 characters', { description: x(10) }],
    ['a description of 499 characters', { description: x(499) }],
    ['a start at 0', { start: 0 }],
    ['a length of 5 s', { start: 10, end: 15 }],
    ['a length of 5 s between decimals', { start: 12.3, end: 17.3 }],
    ['a length of 299.999 s', { start: 0, end: 299.999 }],
    ['10 aliases', { aliases: names(10) }],
    ['an end within a second after the video', { start: 40, end: 61 }],
  ])('finds nothing wrong with %s', (_what, change) => {
    expect(validateStep({ ...GOOD, ...change }, change.end === 61 ? 60 : null)).toEqual({})
  })

  it.each<[string, Partial<StepFields>, object]>([
    ['no title', { title: '  ' }, { title: 'Title is required' }],
    ['a title of 2 characters', { title: ' ab ' }, { title: 'Title must be at least 3 characters' }],
    ['a title of 100 characters', { title: x(100) }, { title: 'Title must be under 100 characters' }],
    ['no description', { description: '' }, { description: 'Description is required' }],
    [
      'a description of 9 characters',
      { description: x(9) },
      { description: 'Description must be at least 10 characters' },
    ],
    [
      'a description of 500 characters',
      { description: x(500) },
      { description: 'Description must be under 500 characters' },
    ],
    ['a negative start', { start: -1 }, { start: 'Start time cannot be negative' }],
    ['a start that is no time', { start: null }, { start: 'Invalid time format (use mm:ss)' }],
    ['an end that is no time', { end: null }, { end: 'Invalid time format (use mm:ss)' }],
    ['an end at the start', { end: 10 }, { end: 'End time must be after start time' }],
    ['an end before the start', { end: 9 }, { end: 'End time must be after start time' }],
    ['a length under 5 s', { end: 14.999 }, { end: 'Step must be at least 5 seconds long' }],
    ['a length of 5 minutes', { end: 310 }, { end: 'Step must be under 5 minutes long' }],
    ['an end after the video', { end: 61.5 }, { end: 'End time is after the end of the video' }],
    ['11 aliases', { aliases: names(11) }, { aliases: 'Too many aliases (max 10)' }],
    ['an alias of 101 characters', { aliases: [x(101)] }, { aliases: 'Each alias must be at most 100 characters' }],
  ])('names %s', (_what, change, problems) => {
    expect(validateStep({ ...GOOD, ...change }, 60)).toEqual(problems)
  })

  it('names every field that is wrong at once', { tags: ['spec-5.8', 'spec-9.19'] }, () => {
    const found = validateStep({ title: '', description: '', start: null, end: null, aliases: names(11) })
    expect(Object.keys(found)).toEqual(['title', 'description', 'start', 'end', 'aliases'])
  })

  it('is stricter than the form for missing steps, never looser', () => {
    const time = fc.option(fc.integer({ min: -10, max: 400 }))
    const fields = fc.record({ title: fc.string(), description: fc.string(), start: time, end: time })
    fc.assert(
      fc.property(fields, (some) => {
        const step = { ...some, aliases: [] }
        const problems = validateStep(step, 300)
        for (const field of Object.keys(validateAddedStep(step, 300))) expect(problems).toHaveProperty(field)
      }),
    )
  })
})

describe('findEarlyProblems', () => {
  it('finds what more typing does not make right, and nothing that is only not complete', () => {
    expect(findEarlyProblems({ title: '', description: 'a', start: null, end: null, aliases: [] }, 60)).toEqual({})
    expect(findEarlyProblems({ ...GOOD, title: x(100), description: x(500), end: 61.5 }, 60)).toEqual({
      title: 'Title must be under 100 characters',
      description: 'Description must be under 500 characters',
      end: 'End time is after the end of the video',
    })
  })
})

describe('validateAddedStep', () => {
  it('refuses what is too long instead of cutting it', () => {
    const long = { ...GOOD, title: x(100), description: x(500) }
    expect(Object.keys(validateAddedStep(long))).toEqual(['title', 'description'])
  })

  it('wants a title and times in order, and nothing more', () => {
    expect(validateAddedStep({ title: ' a ', description: '', start: 0, end: 0, aliases: [] })).toEqual({})
    expect(validateAddedStep({ title: ' ', description: '', start: -1, end: -2, aliases: [] })).toEqual({
      title: 'Title is required',
      start: 'Start time cannot be negative',
      end: 'End time must be after start time',
    })
    expect(validateAddedStep({ title: 'a', description: '', start: null, end: null, aliases: [] })).toEqual({
      start: 'Invalid time format (use mm:ss)',
      end: 'Invalid time format (use mm:ss)',
    })
  })
})
