import { expect, test } from 'vitest'
import { makeTimeLink } from './player-stage.tsx'
import { readStartTime } from './resume/start-time.ts'

test('a link to a moment leads to it', () => {
  const link = new URL(makeTimeLink('/share/m1', 83.9))
  expect(link.pathname).toBe('/share/m1')
  expect(readStartTime(link.searchParams)).toBe(83)
})
