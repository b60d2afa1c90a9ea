import { describe, expect, it } from 'vitest'
import { extraUsdOfRare, LATER_VIEWS } from './infrequent-access.ts'

const GIGABYTES = 0.188

describe('Infrequent Access', () => {
  it('saves half a cent for each gigabyte in a month without a view', () => {
    expect(extraUsdOfRare(0)).toBeCloseTo(GIGABYTES * (0.01 - 0.015), 9)
  })

  it('costs a cent for each gigabyte that is read, and dearer operations', () => {
    const ofOneView = extraUsdOfRare(3) - extraUsdOfRare(2)
    expect(ofOneView).toBeCloseTo(GIGABYTES * 0.01 + 5 * (0.9e-6 - 0.36e-6), 9)
  })

  it('saves with less than a view in two months, which is less than is assumed', () => {
    expect(extraUsdOfRare(0.49)).toBeLessThan(0)
    expect(extraUsdOfRare(0.5)).toBeGreaterThan(0)
    expect(extraUsdOfRare(LATER_VIEWS)).toBeGreaterThan(0)
  })
})
