import { expect, it } from 'vitest'
import { makeTitlesDistinct } from './name-step.ts'

it('tries each title about once where thousands of steps have the same one', { tags: 'attack-60' }, () => {
  const steps = Array.from({ length: 4_000 }, () => ({ title: 'Press', originalText: 'So.', isUnsure: true }))
  let tries = 0
  const titles = makeTitlesDistinct(steps, (count) => {
    tries += count
  })
  expect(titles.slice(0, 3)).toEqual(['Press', 'Press (part 2)', 'Press (part 3)'])
  expect(new Set(titles).size).toBe(steps.length)
  expect(tries).toBeLessThanOrEqual(3 * steps.length)
})
