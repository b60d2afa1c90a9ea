import { describe, expect, it } from 'vitest'
import { networkOf, siteOf } from './network-of.ts'

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network))

  it.each([
    ['203.0.113.7', null],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1'],
    ['2001:db8::1', '2001:db8:0'],
    [undefined, null],
  ])('counts %s of its site as %s', (address, site) => expect(siteOf(address)).toBe(site))

  it('returns null without an address', () => {
    expect(networkOf(undefined)).toBeNull()
    expect(networkOf('')).toBeNull()
  })
})
