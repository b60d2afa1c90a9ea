import { expect, it } from 'vitest'
import { formatDecimal } from './format-number.ts'
import { formatUsd } from './format-usd.ts'

it.each([
  [5, '$5'],
  [0.2, '$0.20'],
  [0.2349, '$0.23'],
  [0.002, '$0.002'],
  [0, '$0'],
])('writes %s dollars as %s', (usd, written) => {
  expect(formatUsd(usd)).toBe(written)
})

it('writes one decimal, also where it is zero', () => {
  expect([formatDecimal(1234.56), formatDecimal(3)]).toEqual(['1,234.6', '3.0'])
})
