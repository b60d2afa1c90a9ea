import fc from 'fast-check'
import { expect, it } from 'vitest'

it('fails a property that is interrupted before all of its runs', () => {
  const property = fc.property(fc.nat(), () => true)
  expect(() => fc.assert(property, { interruptAfterTimeLimit: 0 })).toThrow(/interrupted/i)
})
