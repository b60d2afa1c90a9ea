import { expect, test } from 'vitest'
import { readStartTime } from './kept-position.ts'
import { makeTimeLink } from './player-stage.tsx'

test('a link to a moment leads to it', () => {
  const link = new URL(makeTimeLink('/share/m1', 83.9))
  expect(link.pathname).toBe('/share/m1')
  expect(readStartTime(link.searchParams)).toBe(83)
})
