import { expect, it } from 'vitest'
import { watchAllocations } from './watch-allocations.ts'

it('notes the largest piece that was asked for, also after a length that is no number', () => {
  const watched = watchAllocations()
  try {
    new Float64Array(10)
    // A damaged file may lead to one: it is made empty.
    new Uint8Array(Number.NaN)
    new Uint8Array(100)
    new Uint8Array([1, 2, 3])
  } finally {
    watched.stop()
  }
  new Uint8Array(1_000)
  expect(watched.largestBytes).toBe(100)
})
