// Behaviour: what the most expensive day can cost with all limits in place.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ERASE_WORD } from '#contract/account.ts'
import {
  REPORT_PHOTO_MAX_BYTES,
  REWRITE_INSTRUCTION_MAX_CHARS,
  REWRITE_MAX_CHARS,
  STEP_HARD_LIMITS,
} from '#contract/limits.ts'
import { call } from '#local/testing/api.ts'
import { LEARNING_PATH, openLearnerPage, saveManySteps, seedLessons, sendReport } from '#local/testing/learners.ts'
import { seedModule } from '#local/testing/modules.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { workersAiLanguage } from '#worker/adapters/workers-ai/workers-ai-models.ts'
import {
  NEW_LEARNERS_PER_ADDRESS,
  REPORTS_PER_ACCOUNT,
  REPORTS_PER_DAY,
  SESSIONS_PER_LEARNER,
  SUMMED_EVERY,
} from '#worker/domain/learning/learning-limits.ts'
import { ASKED_AS_REPORTS } from '#worker/domain/questions/ask-trainer.ts'
import { PRICES, usdOfTokens } from '#worker/domain/quota/prices.ts'
import { pay } from '#worker/domain/quota/quota-store.ts'
import { paidTextRewriter } from '#worker/domain/quota/spend-ai.ts'
import {
  dayOf,
  findReached,
  makeQuotas,
  rowsOfRun,
  sayReached,
  UNITS,
  USER_ROWS_PER_DAY,
} from '#worker/domain/quota/take-quota.ts'
import { worstDailyBill } from '#worker/domain/quota/testing/worst-bill.ts'
import { CPU_NS_PER_STEP, countStepsOfWorstRun } from '#worker/domain/quota/testing/worst-run.ts'
import { REPORTS_OF_DAY } from '#worker/domain/step-report/step-report-limits.ts'
import type { ChatMessage } from '#worker/ports/language-model.ts'
import toml from '../../../wrangler.toml?raw'
import { countRows } from '../testing/count-rows.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const HOSTILE = { accounts: 10, addresses: 100 }
const BILL_MAX_USD = 10
/** A question with its answer and its turn. Measured by nothing: the tutor writes in an invocation of its own. */
const ROWS_OF_QUESTION = 30
/** Presigning, completing and refunding a module, beside its run and what its parts reserve. */
const ROWS_OF_UPLOAD = 60
const CALLS_PER_MINUTE = /name = "LINK_LIMIT"[^[]*limit = (\d+)/
const ERASURES_PER_MINUTE = /name = "CAPTIONS_LIMIT"[^[]*limit = (\d+)/
const MINUTES_PER_DAY = 24 * 60
const STEP_LENGTH_S = 150

/** A variable of `wrangler.toml`, as a deployment has it that changes nothing. */
function defaultOf(name: string): string {
  const value = new RegExp(`^${name} = "([^"]*)"`, 'm').exec(toml)?.[1]
  if (value === undefined) throw new Error(`wrangler.toml has no ${name}`)
  return value
}

const DEFAULTS = makeQuotas(
  new Proxy({} as Env, { get: (_, name) => (String(name).endsWith('_PER_DAY') ? defaultOf(String(name)) : undefined) }),
)

/** Of a learner, a module and a site. */
const SUMS = 3
/** As how many reports those of an address have counted, and whether the last one of a module was added to the sums. */
const REPORTED = `SELECT (SELECT max(reports) FROM learning_uses) AS reports, version % ${SUMMED_EVERY} = 0 AS isSummed
  FROM learners WHERE module_id = ? ORDER BY last_at DESC, version DESC LIMIT 1`
type Reported = Record<'reports' | 'isSummed', number>

/** As how many reports those of an address have counted today. */
const countReports = async () =>
  Number(await env.DB.prepare('SELECT max(reports) FROM learning_uses').first('max(reports)'))

/** Rows of a learner's first report with what it counts as, and of the dearest report of all for each that it counts as. */
async function measureReports() {
  const lessons = await seedLessons({ durationMs: 80_000_000 })
  const { moduleId } = lessons
  await saveManySteps(lessons, STEP_HARD_LIMITS.maxSteps, STEP_LENGTH_S)
  await sendReport((await openLearnerPage(moduleId)).next([[0, 1]]))
  await call(`${LEARNING_PATH}/${moduleId}`, { as: lessons.as })
  const headers = { 'cf-connecting-ip': '2001:db8:7:1::1' }
  type Page = Awaited<ReturnType<typeof openLearnerPage>>
  const report = async (page: Page, [fromS, toS]: readonly [number, number]) => {
    const before = await countReports()
    const { rows } = await countRows(LEARNING_PATH, { json: page.next([[fromS, toS]]), headers })
    const { reports = 0, isSummed = 0 } = (await env.DB.prepare(REPORTED).bind(moduleId).first<Reported>()) ?? {}
    return { rows: rows - isSummed * SUMS, counted: reports - before }
  }
  // What the first one from an address adds is added once.
  await report(await openLearnerPage(moduleId), [0, 60])
  const page = await openLearnerPage(moduleId)
  const first = await report(page, [0, 60])
  // Nothing, one, two, three, some and all steps change.
  const ends = [61, 62, STEP_LENGTH_S + 1, 2 * STEP_LENGTH_S + 1, 6 * STEP_LENGTH_S, 79_000, 79_000]
  const reports = [await report(page, [3_000, 3_060])]
  for (const end of ends) reports.push(await report(page, [0, end]))
  for (let visit = 0; visit < SESSIONS_PER_LEARNER + 2; visit += 1)
    reports.push(
      await report(await openLearnerPage(moduleId, page), [visit * STEP_LENGTH_S, visit * STEP_LENGTH_S + 1]),
    )
  return { first, more: Math.max(...reports.map(({ rows, counted }) => rows / counted)) + SUMS / SUMMED_EVERY }
}

async function measureFeedback(): Promise<number> {
  const { as, moduleId } = await seedTutored()
  const json = { moduleId, type: 'ai_improvement', feedback: 'Show the jack.' }
  return (await countRows('/api/feedback/improvement', { as, json })).rows
}

/** The rows of a report from a step, with the sums that it counts towards. */
async function measureStepReport(): Promise<number> {
  const headers = { 'cf-connecting-ip': '2001:db8:7:2::1' }
  const report = async (id: string) => {
    const { moduleId } = await seedLessons({ takesReports: true })
    const { learner } = await openLearnerPage(moduleId)
    const json = { id, stepId: 'first', kind: 'wrong', text: 'It turns left.', learner }
    return (await countRows(`/api/step-reports/${moduleId}`, { json, headers })).rows
  }
  // What the first one from an address adds is added once.
  await report('a-first-report-of-the-bill')
  return report('another-report-of-the-bill')
}

/** The rows of a question to a trainer, of a device that is new. */
async function measureAsked(): Promise<number> {
  const { as, moduleId } = await seedTutored()
  await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { linkAnswersPerDay: 0 } })
  const json = { question: 'What does it cost?', turnId: 'turn-of-the-bill' }
  const headers = { 'cf-connecting-ip': '2001:db8:7:2::1' }
  return (await countRows(`/api/asked/${moduleId}`, { json, headers })).rows
}

/** The rows that a repeated erasure request writes, which no limit of a day covers. */
async function measureErasure(): Promise<number> {
  const erase = () => countRows('/api/account', { as: 'user_gone', method: 'DELETE', json: { confirm: ERASE_WORD } })
  await erase()
  return (await erase()).rows
}

describe('the worst bill of a day', () => {
  it('the worst bill of a day with 10 hostile accounts and 100 hostile addresses is at most ten dollars by the defaults', {
    tags: 'attack-47',
  }, async () => {
    const reports = await measureReports()
    const feedback = await measureFeedback()
    const stepReport = await measureStepReport()
    const erasure = await measureErasure()
    const asked = await measureAsked()
    // A question uses up the reports of its address, and costs no more than these.
    expect(asked / ASKED_AS_REPORTS).toBeLessThanOrEqual(reports.more)
    expect(Math.min(reports.first.rows, reports.more, feedback, stepReport, erasure, asked)).toBeGreaterThan(0)
    const erasures = Number(ERASURES_PER_MINUTE.exec(toml)?.[1]) * MINUTES_PER_DAY
    const minutes = (DEFAULTS.user.minutes ?? Number.POSITIVE_INFINITY) / UNITS.minutes
    const modules = DEFAULTS.user.modules ?? Number.POSITIVE_INFINITY
    const otherRowsOfUser =
      USER_ROWS_PER_DAY.feedback * feedback +
      USER_ROWS_PER_DAY.questions * ROWS_OF_QUESTION +
      modules * (ROWS_OF_UPLOAD + rowsOfRun(0)) +
      rowsOfRun(minutes * 60_000) +
      REPORTS_PER_ACCOUNT * reports.more +
      erasures * erasure
    const limits = {
      userAiUsd: (DEFAULTS.user.ai ?? Number.POSITIVE_INFINITY) / UNITS.ai,
      totalAiUsd: (DEFAULTS.everyone.ai ?? Number.POSITIVE_INFINITY) / UNITS.ai,
      userRows: DEFAULTS.rows ?? Number.POSITIVE_INFINITY,
      otherRowsOfUser,
      rowsOfAddress:
        REPORTS_PER_DAY * reports.more +
        REPORTS_OF_DAY.network * stepReport +
        NEW_LEARNERS_PER_ADDRESS * Math.max(0, reports.first.rows - reports.first.counted * reports.more),
      photoBytesOfAddress: REPORTS_OF_DAY.network * REPORT_PHOTO_MAX_BYTES,
      uploadBytesOfUser:
        (DEFAULTS.user.bytes ?? Number.POSITIVE_INFINITY) + USER_ROWS_PER_DAY.photos * REPORT_PHOTO_MAX_BYTES,
      totalMails: DEFAULTS.mails.everyone ?? Number.POSITIVE_INFINITY,
      cpuMsOfUser: (USER_ROWS_PER_DAY.runs + modules) * ((countStepsOfWorstRun() * CPU_NS_PER_STEP) / 1e6),
    }
    const bill = worstDailyBill(limits, HOSTILE)
    const calls = Number(CALLS_PER_MINUTE.exec(toml)?.[1]) * MINUTES_PER_DAY * HOSTILE.addresses
    const millions = calls / 1e6
    const unbounded =
      `Not bounded, about: ${millions.toFixed(0)} million requests of 100 addresses at the limit of links, ` +
      `$${(millions * PRICES.requests.perMillion).toFixed(0)}; as many reads of R2 $${(millions * PRICES.r2ClassB.perMillion).toFixed(0)}`
    // oxlint-disable-next-line no-console -- the bill is read by people: costs without a limit are listed beside it
    console.info(
      'The worst bill of a day, US dollars:',
      bill,
      HOSTILE,
      { ...limits, reports, feedback, stepReport, erasure },
      unbounded,
    )
    expect(bill.total, JSON.stringify({ bill, limits, reports, feedback })).toBeLessThanOrEqual(BILL_MAX_USD)
  })

  it('the worst bill of a day of models is each owner’s own limit exactly, and the limit of all together exactly', {
    tags: 'attack-48',
  }, async () => {
    const day = dayOf(Date.parse('2031-05-05T12:00:00Z'))
    const own = DEFAULTS.user.ai ?? 0
    const total = DEFAULTS.everyone.ai ?? 0
    const amount = own / 8
    const owners = Array.from({ length: HOSTILE.accounts }, (_, at) => `user_hostile_${at}`)
    const ids = await Promise.all(owners.map(async (userId) => (await seedModule({ userId })).id))
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

  it('the worst bill of a day of models is not passed by calls that use all that they may', {
    tags: 'attack-63',
  }, async () => {
    const { id, userId } = await seedModule({ userId: 'user_of_long_answers' })
    let bought = 0
    const run = async (_model: string, { messages, max_tokens }: { messages: ChatMessage[]; max_tokens: number }) => {
      const read = messages.reduce((sum, { content }) => sum + content.length, 0)
      bought += usdOfTokens({ in: read, out: max_tokens })
      return { response: 'So.', usage: { prompt_tokens: read, completion_tokens: max_tokens } }
    }
    const { textRewriter } = workersAiLanguage({
      ai: { run } as unknown as Ai,
      pace: async () => undefined,
      models: env,
    })
    const context = { d1: env.DB, quotas: DEFAULTS, nowMs: () => Date.parse('2031-07-05T12:00:00Z') }
    const rewriter = paidTextRewriter(context, { id, userId, orgId: null }, textRewriter)
    const task = { text: '今'.repeat(REWRITE_MAX_CHARS), instruction: '今'.repeat(REWRITE_INSTRUCTION_MAX_CHARS) }
    const { signal } = new AbortController()
    const askUntilRefused = async () => {
      for (;;) await rewriter.rewrite(task, signal)
    }
    const ends = await Promise.allSettled(Array.from({ length: 20 }, askUntilRefused))
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
    const limit = (DEFAULTS.user.ai ?? 0) / UNITS.ai
    expect(bought).toBeGreaterThan(limit * 0.9)
    // What letters of English take is estimated before, and corrected after the calls that are in flight.
    expect(bought).toBeLessThanOrEqual(limit * 1.1)
  })

  it('restarts every day', async () => {
    const { id: moduleId } = await seedModule({ userId: 'user_of_two_days' })
    const amount = DEFAULTS.user.ai ?? 0
    for (const date of ['2031-06-05', '2031-06-06']) {
      const [day, payment] = [date, { moduleId, day: date, amount }]
      expect([day, await pay(env.DB, payment, DEFAULTS)]).toEqual([date, true])
      expect(await pay(env.DB, { ...payment, amount: 1 }, DEFAULTS)).toBe(false)
    }
  })
})
