import { expect, it } from 'vitest'
import { sayAbout } from './say-about.ts'

it.each([
  [0, 'about 10 seconds'],
  [50, 'about 50 seconds'],
  [51, 'about a minute'],
  [61, 'about 2 minutes'],
  [89 * 60, 'about 89 minutes'],
  [90 * 60, 'about 2 hours'],
])('says %d seconds as: %s', (seconds, text) => {
  expect(sayAbout(seconds)).toBe(text)
})
