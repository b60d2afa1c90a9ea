import { describe, expect, it } from 'vitest'
import { billMonth, fillCosts, writeCosts } from './costs.ts'
import { readBaseConfig } from './make-config.ts'

const total = (videos: number, sampling = 0.1) =>
  Object.values(billMonth(videos, sampling)).reduce((sum, usd) => sum + usd, 0)

describe('the costs of a month', () => {
  it('are the plan alone without videos, and never fall', () => {
    expect(total(0)).toBe(5)
    const bills = [100, 1_000, 10_000].map((videos) => billMonth(videos, 0.1))
    for (const name of Object.keys(bills[0] ?? {})) {
      const usd = bills.map((bill) => bill[name] ?? Number.NaN)
      expect(usd, name).toEqual(usd.toSorted((a, b) => a - b))
    }
  })

  it('grow evenly beyond all that the plan includes', () => {
    const each = (videos: number) => total(videos + 1) - total(videos)
    expect(each(10_000_000)).toBeCloseTo(each(20_000_000), 6)
    expect(each(10_000_000)).toBeGreaterThan(each(0))
  })

  it('have a request and a row of a Durable Object for each call of a model, which is paced', () => {
    const ofRooms = (videos: number) => billMonth(videos, 0.1)['Rooms and paces (Durable Objects)'] ?? Number.NaN
    const million = ofRooms(51e6) - ofRooms(50e6)
    const rooms = { requests: 60 + 30 * 3 + 10 * 3, seconds: 60 + 30 + 10 * 6, paced: 25 + 10 * 2 }
    expect(million).toBeCloseTo((rooms.requests + rooms.paced) * 0.15 + rooms.paced + rooms.seconds * 0.128 * 12.5, 3)
  })

  it('rise with the share of traces that are kept', () => {
    expect(total(10_000, 1)).toBeGreaterThan(total(10_000, 0.1))
  })

  it('stand between their marks, and follow the limits of wrangler.toml', () => {
    const base = readBaseConfig()
    const costs = writeCosts(base)
    const document = 'a\n<!-- costs -->\nold\n<!-- end of costs -->\nb'
    expect(fillCosts(document, costs)).toBe(`a\n<!-- costs -->\n${costs}\n<!-- end of costs -->\nb`)
    const ratelimits = base.ratelimits?.map((each) => ({ ...each, simple: { ...each.simple, limit: 1 } }))
    expect(writeCosts({ ...base, ratelimits })).not.toBe(costs)
  })
})
