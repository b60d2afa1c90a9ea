import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proposeAlias, proposeNote, proposeTitle } from './question-forms.tsx'

describe('proposeTitle', () => {
  test.each([
    ['How do I lift the car?', 'Lift the car'],
    ['Hi, can you please show me how to lift the car??', 'Lift the car'],
    ['Could you show me how to lift the car, please?', 'Lift the car'],
    ['how to lift  the car', 'Lift the car'],
    ['Where is the wrench for the wheel nuts?', 'Where the wrench for the wheel nuts is'],
    ['Where do I find the wrench?', 'Find the wrench'],
    ["what's the torque?", 'The torque'],
    ['Why does it squeak?', 'Why does it squeak'],
    ['What is it', 'What is it'],
    ['??', '??'],
  ])('makes "%s" into "%s"', (question, title) => {
    expect(proposeTitle(question)).toBe(title)
  })
})

describe('what is proposed', () => {
  test('is short enough to be saved, is never empty, and ends with a word', () => {
    const long = `How do I ${'tighten the nuts and '.repeat(20)}go on?`
    expect(proposeTitle(long)).toMatch(/^Tighten the nuts .* (tighten|the|nuts|and)$/)
    const question = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constant(long),
      fc.constant('x'.repeat(500)),
    )
    fc.assert(
      fc.property(question, (text) => {
        if (text.trim() === '') return
        expect(proposeTitle(text).length).toBeLessThanOrEqual(99)
        expect(proposeAlias(text).length).toBeLessThanOrEqual(100)
        expect(proposeNote(text).length).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  test('is an alias without commas and without what every question has', () => {
    expect(proposeAlias('Hello, where is the wrench, the big one, please?')).toBe('where is the wrench the big one')
  })

  test('is a note of the words of the question, commas and all', () => {
    expect(proposeNote(' Hello, where is\nthe wrench, the big one, please? ')).toBe('where is the wrench, the big one')
  })
})
