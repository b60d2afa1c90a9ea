import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CAPTION_CUES_MAX, CORRECTIONS_MAX, STEP_HARD_LIMITS } from '#contract/limits.ts'
import { QuotaReached } from '#contract/quota.ts'
import { call } from '#local/testing/api.ts'
import { plantTutored } from '#local/testing/tutored.ts'
import { countWritten } from '#worker/db/count-written.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { UNITS } from '#worker/domain/quota/quotas.ts'
import { rowsOfRun } from '#worker/domain/quota/reserve-rows.ts'
import { ROWS_MAX } from '#worker/http/row-limits.ts'
import { openDriver, plantRun } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/plant-tasks.ts'
import { countRows } from './testing/count-rows.ts'

holdTasks()

vi.spyOn(console, 'log').mockImplementation(() => undefined)

/** What counting a call writes itself. */
const COUNTING = 6
const RUN_MS = 10 * 60_000

function limitRows(rows: number): void {
  const vars = env as { USER_WRITTEN_ROWS_PER_DAY: string }
  vars.USER_WRITTEN_ROWS_PER_DAY = String(rows)
  onTestFinished(() => void Object.assign(vars, { USER_WRITTEN_ROWS_PER_DAY: '' }))
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

describe('the most that a call of a route writes', () => {
  it('is what it reserves, for routes that write a lot', async () => {
    const { as, moduleId } = await plantTutored({ durationMs: 80_000_000 })
    const measured: [name: string, rows: number][] = []
    const measure = async (name: string, what: Parameters<typeof countRows>[1]) => {
      const [method = '', path = ''] = name.split(' ')
      const { rows } = await countRows(path.replace(':moduleId', moduleId), { as, method, ...what })
      measured.push([name, rows])
    }
    const headers = { 'content-type': 'text/vtt' }
    for (const word of ['Open', 'Close'])
      await measure('PUT /api/captions/:moduleId', { headers, body: captionsOf(CAPTION_CUES_MAX, word) })
    // There is no video, so the run of the captions ends.
    await env.DB.prepare("UPDATE modules SET status = 'FAILED' WHERE id = ?").bind(moduleId).run()
    for (const word of ['Take', 'Give'])
      await measure('POST /api/steps/:moduleId', { json: { steps: stepsOf(STEP_HARD_LIMITS.maxSteps, word) } })
    const answer = await call(`/api/transcript/${moduleId}`, { as })
    const { segments } = (await answer.json()) as { segments: { id: string; text: string }[] }
    const edits = segments.slice(0, CORRECTIONS_MAX).map(({ id, text }) => ({ id, was: text, text: `${text} Well.` }))
    await measure('PATCH /api/transcript/:moduleId', { json: { edits } })
    await measure('PATCH /api/modules/:moduleId', { json: { title: 'Another', shared: false } })
    await measure('POST /api/reprocess/:moduleId', { json: { from: 'start' } })
    for (const [name, rows] of measured) expect(rows, JSON.stringify(measured)).toBeLessThanOrEqual(ROWS_MAX[name] ?? 0)
    expect(Math.max(...measured.map(([, rows]) => rows)), 'nothing was counted').toBeGreaterThan(CAPTION_CUES_MAX)
  })

  it('of what jobs do for a run is what the run reserves', async () => {
    const driver = openDriver()
    const { d1, rowsWritten } = countWritten(env.DB)
    const quotas = { ...driver.deps.quotas, everyone: { ai: UNITS.ai } }
    Object.assign(driver.deps, { d1, db: openDb(d1), quotas })
    const { moduleId } = await plantRun(RUN_MS)
    await driver.drain()
    expect(await findModule(driver.deps.db, moduleId)).toMatchObject({ status: 'READY' })
    expect(rowsWritten()).toBeGreaterThan(0)
    expect(rowsWritten()).toBeLessThanOrEqual(rowsOfRun(RUN_MS))
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
