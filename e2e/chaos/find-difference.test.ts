import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDifference } from './find-difference.ts'

const TRAINING = { title: 'A', steps: [{ title: 'Open' }, { title: 'Close' }], language: null }

describe('findDifference', () => {
  it('finds none between a value and itself', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findDifference(value, value) === null))
  })

  it('finds a difference in any changed field', () => {
    const written = (value: unknown) => JSON.stringify(value)
    fc.assert(
      fc.property(
        // Integers: -0 and 0 are written the same. Lists: the order of names does not count.
        fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null))),
        fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null))),
        (one, other) => (findDifference(one, other) === null) === (written(one) === written(other)),
      ),
    )
  })

  it.each([
    [{ ...TRAINING, steps: [{ title: 'Open' }, { title: 'Shut' }] }, 'steps[1].title is "Shut" instead of "Close"'],
    [{ ...TRAINING, steps: [...TRAINING.steps, { title: 'Close' }] }, 'steps has 3 entries instead of 2'],
    [{ ...TRAINING, steps: [{ title: 'Open' }] }, 'steps has 1 entries instead of 2'],
    [{ ...TRAINING, language: 'en' }, 'language is "en" instead of null'],
    [{ ...TRAINING, notes: '' }, 'notes is "" instead of undefined'],
  ])('names the place', (actual, difference) => expect(findDifference(TRAINING, actual)).toBe(difference))

  it('shows long texts from shortly before they part', () => {
    const text = 'Press the green button. '.repeat(20)
    const difference = findDifference(`${text}Then wait.`, `${text}Then stop.`)
    expect(difference).toMatch(/^ is ….{20}stop\."… \(492 characters\) instead of ….{20}wait\."… \(492 characters\)$/)
  })
})
