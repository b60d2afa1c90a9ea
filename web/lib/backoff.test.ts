import { afterEach, expect, it, vi } from 'vitest'
import { backoffAfter } from './backoff.ts'

const SCHEDULE = { firstMs: 500, maxMs: 5_000 }
const delays = () => [0, 1, 2, 3, 4, 2_000].map((failures) => backoffAfter(failures, SCHEDULE))

afterEach(() => void vi.restoreAllMocks())

it('doubles up to its longest', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  expect(delays()).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000])
})

it('leaves out up to half at random', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  expect(delays()).toEqual([250, 500, 1_000, 2_000, 2_500, 2_500])
})
