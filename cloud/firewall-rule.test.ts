import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { countPassed, FIREWALL_RULE } from './firewall-rule.ts'

describe('an attack', () => {
  const perDay = (perS: number) => 100 * 86_400 * perS

  it('an attack of a hundred addresses at the limit of links is 864 million requests without a rule', () => {
    expect(countPassed(100, null)).toBe(864e6)
  })

  it('passes as much as a rule allows, and no more than is sent', () => {
    expect(countPassed(1_000, FIREWALL_RULE, true)).toBe(perDay(100))
    expect(countPassed(40, FIREWALL_RULE, true)).toBe(perDay(40))
    expect(countPassed(40, FIREWALL_RULE)).toBe(perDay(40))
  })

  it('is blocked again and again while it does not slow down', () => {
    // One second until the limit, an hour of nothing.
    expect(countPassed(200, { limit: 200, blockS: 3_599 })).toBeCloseTo(100 * 24 * 200, 6)
  })

  it('meets the rule that the document has people make', () => {
    const { limit, blockS } = FIREWALL_RULE
    expect(readFileSync('docs/deploy.md', 'utf8')).toContain(
      `"period": 10, "requests_per_period": ${limit}, "mitigation_timeout": ${blockS}`,
    )
  })
})
