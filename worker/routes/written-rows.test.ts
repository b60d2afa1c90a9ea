import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CORRECTIONS_MAX } from '#contract/limits.ts'
import { QuotaReached } from '#contract/quota.ts'
import { STEP_HARD_LIMITS } from '#contract/step.ts'
import { call } from '#local/testing/api.ts'
import { plantTutored } from '#local/testing/tutored.ts'
import { ROWS_MAX } from '#worker/http/row-limits.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

/** What counting a call writes itself. */
const COUNTING = 6
const CUES_MAX = 20_000
const STEPS_MAX = STEP_HARD_LIMITS.maxSteps

function limitRows(rows: number): void {
  const vars = env as { USER_ROWS_PER_DAY: string }
  vars.USER_ROWS_PER_DAY = String(rows)
  onTestFinished(() => void Object.assign(vars, { USER_ROWS_PER_DAY: '' }))
}

function usedBy(userId: string): Promise<number | null> {
  const sql = `SELECT amount FROM quota_uses WHERE module_id = ? AND kind = 'rows'`
  return env.DB.prepare(sql).bind(userId).first<number>('amount')
}

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)
const captionsOf = (cues: number, word: string) =>
  `WEBVTT\n\n${Array.from({ length: cues }, (_, at) => `${clock(at * 4_000)} --> ${clock(at * 4_000 + 3_900)}\n${word} ${at}.\n`).join('\n')}`
const stepsOf = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => ({
    id: `step-${at}`,
    title: `${word} ${at}`,
    description: `${word} the part.`,
    start: at * 0.2,
    end: at * 0.2 + 0.1,
    aliases: Array.from({ length: 10 }, (_each, alias) => `${word} ${alias}`),
  }))

type Options = Parameters<typeof call>[1]

/** Calls, and reads how many rows it has written once that is settled. */
async function rowsOf(as: string, path: string, options: Options, status: number): Promise<number> {
  const before = (await usedBy(as)) ?? 0
  const answer = await call(path, { as, ...options })
  expect(answer.status, await answer.text()).toBe(status)
  let rows = Number.NaN
  await vi.waitFor(async () => {
    rows = ((await usedBy(as)) ?? 0) - before - COUNTING
    expect(rows).toBeLessThan(ROWS_MAX[nameOf(path, options)] ?? 0)
  })
  return rows
}

function nameOf(path: string, options: Options): string {
  const method = options?.method ?? 'POST'
  const [, api, noun, , ...rest] = path.split('/')
  return `${method} /${[api, noun, ':moduleId', ...rest].join('/')}`
}

describe('the most that a call of a route writes', () => {
  it('is what it reserves, for routes that write a lot', async () => {
    limitRows(100_000_000)
    const { as, moduleId } = await plantTutored({ durationMs: 80_000_000 })
    const measured: Record<string, number[]> = {}
    const measure = async (path: string, options: Options, status = 200) => {
      const name = nameOf(path, options)
      measured[name] = [...(measured[name] ?? []), await rowsOf(as, path, options, status)]
    }
    const captions = { method: 'PUT', headers: { 'content-type': 'text/vtt' } }
    for (const word of ['Open', 'Close'])
      await measure(`/api/captions/${moduleId}`, { ...captions, body: captionsOf(CUES_MAX, word) })
    for (const word of ['Take', 'Give'])
      await measure(`/api/steps/${moduleId}`, { json: { steps: stepsOf(STEPS_MAX, word) } })
    const { segments } = (await (await call(`/api/transcript/${moduleId}`, { as })).json()) as {
      segments: { id: string; text: string }[]
    }
    const edits = segments.slice(0, CORRECTIONS_MAX).map(({ id, text }) => ({ id, was: text, text: `${text} Well.` }))
    await measure(`/api/transcript/${moduleId}`, { method: 'PATCH', json: { edits } })
    await measure(`/api/modules/${moduleId}`, { method: 'PATCH', json: { title: 'Another', shared: false } })
    await measure(`/api/reprocess/${moduleId}`, { json: { from: 'start' } })
    console.info(JSON.stringify(measured))
  })
})

describe('what one person may write on one day', () => {
  it('is never passed by however many calls at once, and the next call names the limit', async () => {
    const { as, moduleId } = await plantTutored()
    const path = `/api/modules/${moduleId}`
    const limit = 2.5 * ((ROWS_MAX['PATCH /api/modules/:moduleId'] ?? 0) + COUNTING)
    limitRows(limit)
    const titles = Array.from({ length: 8 }, (_, at) => `Title ${at}`)
    const answers = await Promise.all(titles.map((title) => call(path, { as, method: 'PATCH', json: { title } })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2)
    expect(await usedBy(as)).toBeLessThanOrEqual(limit)
    limitRows(100)
    const refused = await call(path, { as, method: 'PATCH', json: { title: 'One more' } })
    expect(refused.status).toBe(429)
    const { quota, detail } = QuotaReached.parse(await refused.json())
    expect(quota).toMatchObject({ kind: 'rows', of: 'user', limit: 100 })
    expect(detail).toContain('Your account has reached its limit of 100 saved rows per day.')
  })

  it('does not hold up reading and deleting, nor another person', async () => {
    const mine = await plantTutored()
    const other = await plantTutored()
    limitRows(0)
    expect((await call(`/api/modules/${mine.moduleId}`, { as: mine.as })).status).toBe(200)
    expect((await call(`/api/modules/${mine.moduleId}`, { as: mine.as, method: 'DELETE' })).status).toBe(200)
    limitRows(1_000)
    const patch = { method: 'PATCH', json: { title: 'Another' } }
    expect((await call(`/api/modules/${other.moduleId}`, { as: other.as, ...patch })).status).toBe(200)
  })

  it('takes a refused call as nothing', async () => {
    const { as, moduleId } = await plantTutored()
    limitRows(1_000)
    const bad = await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { title: 7 } })
    expect(bad.status).toBe(400)
    await vi.waitFor(async () => expect(await usedBy(as)).toBe(COUNTING))
  })
})
