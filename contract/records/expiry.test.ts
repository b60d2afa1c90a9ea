import { expect, it } from 'vitest'
import { expiresAtMs } from './expiry.ts'

const doneAt = (time: string) => ({ seq: 1, time, version: { hash: 'a'.repeat(64), number: 1 } })
const every = (everyMonths: number | null) => ({
  assignment: `a${everyMonths}`,
  rule: { reached: true, confirmed: false, signedOff: false },
  assignedAt: '2026-01-01T00:00:00.000Z',
  dueAt: null,
  everyMonths,
})

it.each([
  ['2026-01-31T10:00:00.000Z', [1], '2026-02-28T10:00:00.000Z'],
  ['2024-02-29T10:00:00.000Z', [12], '2025-02-28T10:00:00.000Z'],
  ['2026-11-15T10:00:00.000Z', [24, 3], '2027-02-15T10:00:00.000Z'],
])('of %s by %o months is %s', (time, months, expected) => {
  expect(expiresAtMs({ done: doneAt(time), requests: months.map(every) })).toBe(Date.parse(expected))
})

it('is never where nothing is to be done again, or nothing was done', () => {
  expect(expiresAtMs({ done: doneAt('2026-01-31T10:00:00.000Z'), requests: [every(null)] })).toBeNull()
  expect(expiresAtMs({ done: null, requests: [every(12)] })).toBeNull()
})
