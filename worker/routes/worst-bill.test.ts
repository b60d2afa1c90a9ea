import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { openLearnerPage, plantLessons } from '#local/testing/learners.ts'
import { plantModule } from '#local/testing/modules.ts'
import { plantTutored } from '#local/testing/tutored.ts'
import { NEW_LEARNERS_PER_ADDRESS, REPORTS_PER_DAY } from '#worker/domain/learning/learning-limits.ts'
import { pay } from '#worker/domain/quota/quota-store.ts'
import { readQuotas, UNITS, USER_ROWS_PER_DAY } from '#worker/domain/quota/quotas.ts'
import { rowsOfRun } from '#worker/domain/quota/reserve-rows.ts'
import { dayOf, findReached, sayReached } from '#worker/domain/quota/take-quota.ts'
import { PRICES, worstDailyBill } from '#worker/domain/quota/testing/worst-bill.ts'
import toml from '../../wrangler.toml?raw'
import { countRows } from './testing/count-rows.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const HOSTILE = { accounts: 10, addresses: 100 }
const BILL_MAX_USD = 10
/** A question with its answer and its turn. Measured by nothing: the tutor writes in an invocation of its own. */
const ROWS_OF_QUESTION = 30
/** The upload of a module beside its run. */
const ROWS_OF_UPLOAD = 200
const CALLS_PER_MINUTE = /name = "LINK_LIMIT"[^[]*limit = (\d+)/
const MINUTES_PER_DAY = 24 * 60

/** A variable of `wrangler.toml`, as a deployment has it that changes nothing. */
function defaultOf(name: string): string {
  const value = new RegExp(`^${name} = "([^"]*)"`, 'm').exec(toml)?.[1]
  if (value === undefined) throw new Error(`wrangler.toml has no ${name}`)
  return value
}

const DEFAULTS = readQuotas(
  new Proxy({} as Env, { get: (_, name) => (String(name).endsWith('_PER_DAY') ? defaultOf(String(name)) : undefined) }),
)

async function measureReports() {
  const { moduleId } = await plantLessons({ durationMs: 80_000_000 })
  const page = await openLearnerPage(moduleId)
  const headers = { 'cf-connecting-ip': '203.0.113.7' }
  const report = (from: number) =>
    countRows('/api/learning-metrics', { json: page.next([[from, from + 60]]), headers }).then(({ rows }) => rows)
  const first = await report(0)
  const more = Math.max(await report(3_000), await report(9_000), await report(70))
  return { first, more }
}

async function measureFeedback(): Promise<number> {
  const { as, moduleId } = await plantTutored()
  const json = { moduleId, type: 'ai_improvement', feedback: 'Show the jack.' }
  return (await countRows('/api/feedback/improvement', { as, json })).rows
}

describe('the worst bill of a day', () => {
  it('with 10 hostile accounts and 100 hostile addresses is at most ten dollars by the defaults', async () => {
    const reports = await measureReports()
    const feedback = await measureFeedback()
    expect(Math.min(reports.first, reports.more, feedback)).toBeGreaterThan(0)
    const minutes = (DEFAULTS.user.minutes ?? Number.POSITIVE_INFINITY) / UNITS.minutes
    const modules = DEFAULTS.user.modules ?? Number.POSITIVE_INFINITY
    const otherRowsOfUser =
      USER_ROWS_PER_DAY.feedback * feedback +
      USER_ROWS_PER_DAY.questions * ROWS_OF_QUESTION +
      modules * (ROWS_OF_UPLOAD + rowsOfRun(0)) +
      rowsOfRun(minutes * 60_000) +
      REPORTS_PER_DAY * reports.more
    const limits = {
      userAiUsd: (DEFAULTS.user.ai ?? Number.POSITIVE_INFINITY) / UNITS.ai,
      totalAiUsd: (DEFAULTS.everyone.ai ?? Number.POSITIVE_INFINITY) / UNITS.ai,
      userRows: DEFAULTS.rows ?? Number.POSITIVE_INFINITY,
      otherRowsOfUser,
      rowsOfAddress: REPORTS_PER_DAY * reports.more + NEW_LEARNERS_PER_ADDRESS * reports.first,
      uploadBytesOfUser: DEFAULTS.user.bytes ?? Number.POSITIVE_INFINITY,
    }
    const bill = worstDailyBill(limits, HOSTILE)
    const calls = Number(CALLS_PER_MINUTE.exec(toml)?.[1]) * MINUTES_PER_DAY * HOSTILE.addresses
    const millions = calls / 1e6
    const dollars = Object.entries(bill).map(([what, usd]) => `${what} $${usd.toFixed(2)}`)
    const unbounded = [
      `${millions.toFixed(0)} million requests $${(millions * PRICES.perMillionRequests).toFixed(0)}`,
      `as many reads of R2 $${(millions * PRICES.perMillionR2Reads).toFixed(0)}`,
    ]
    // oxlint-disable-next-line no-console -- What the limits cannot bound is told beside what they do.
    console.info(
      `The worst bill of a day: ${dollars.join(', ')}. Not bounded, at the rate limits: ${unbounded.join(', ')}.`,
    )
    expect(bill.total, JSON.stringify({ bill, limits, reports, feedback })).toBeLessThanOrEqual(BILL_MAX_USD)
  })

  it('of models is each owner’s own limit exactly, and the limit of all together exactly', async () => {
    const day = dayOf(Date.parse('2031-05-05T12:00:00Z'))
    const own = DEFAULTS.user.ai ?? 0
    const total = DEFAULTS.everyone.ai ?? 0
    const amount = own / 8
    const owners = Array.from({ length: HOSTILE.accounts }, (_, at) => `user_hostile_${at}`)
    const ids = await Promise.all(owners.map(async (userId) => (await plantModule({ userId })).id))
    const spent = async (moduleId: string) => {
      const paid = await Promise.all(Array.from({ length: 12 }, () => pay(env.DB, { moduleId, day, amount }, DEFAULTS)))
      return paid.filter(Boolean).length * amount
    }
    expect(await spent(ids[0] ?? '')).toBe(own)
    const others = await Promise.all(ids.slice(1).map(spent))
    expect(Math.max(...others)).toBeLessThanOrEqual(own)
    expect(own + others.reduce((sum, each) => sum + each, 0)).toBe(total)
    const deps = { d1: env.DB, quotas: DEFAULTS, nowMs: () => Date.parse('2031-05-05T12:00:00Z') }
    const use = { kind: 'ai', day, userId: 'user_new', orgId: null, amount } as const
    expect(sayReached(await findReached(deps, use))).toBe(
      `This Adapt has reached its limit of $${total / UNITS.ai} for AI per day. It opens again at 00:00 UTC (2031-05-06).`,
    )
  })

  it('begins anew with the day', async () => {
    const { id: moduleId } = await plantModule({ userId: 'user_of_two_days' })
    const amount = DEFAULTS.user.ai ?? 0
    for (const date of ['2031-06-05', '2031-06-06']) {
      const [day, payment] = [date, { moduleId, day: date, amount }]
      expect([day, await pay(env.DB, payment, DEFAULTS)]).toEqual([date, true])
      expect(await pay(env.DB, { ...payment, amount: 1 }, DEFAULTS)).toBe(false)
    }
  })
})
