// Behaviour: the rows of the database that one person may add on one day.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { FEEDBACK_ANSWER_KEPT_CHARS, FEEDBACK_CONTEXT_MAX_CHARS, FEEDBACK_MAX_CHARS } from '#contract/limits.ts'
import { QuotaReached } from '#contract/problem.ts'
import { call } from '#local/testing/api.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'
import type { RowKind } from '#worker/domain/quota/quota-store.ts'
import { dayOf, USER_ROWS_PER_DAY } from '#worker/domain/quota/take-quota.ts'

// A run that begins continues after its test.
vi.spyOn(console, 'log').mockImplementation(() => undefined)

const PARALLEL = 20

/** Uses up all but some of what a person has of a kind today. */
async function useUp(userId: string, kind: RowKind, left: number): Promise<void> {
  const amount = USER_ROWS_PER_DAY[kind] - left
  const insert = `INSERT INTO quota_uses (module_id, kind, day, user_id, org_id, amount) VALUES (?1, ?2, ?3, ?1, NULL, ?4)
    ON CONFLICT (module_id, kind, day) DO UPDATE SET amount = excluded.amount`
  await env.DB.prepare(insert).bind(userId, kind, dayOf(Date.now()), amount).run()
}

function countRows(table: string, userId: string): Promise<number | null> {
  return env.DB.prepare(`SELECT count(*) AS rows FROM ${table} WHERE user_id = ?`).bind(userId).first<number>('rows')
}

const rating = (at: number) => ({ type: 'video_processing', action: 'worked', userMessage: `It works, ${at}` })
const someone = () => `user_${nanoid(8)}`

describe('the rows that one person may add on one day', () => {
  it('is so much feedback without a module, however many come at once', { tags: 'attack-37' }, async () => {
    const as = someone()
    await useUp(as, 'feedback', 5)
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, at) => call('/api/feedback/submit', { as, json: rating(at) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(await countRows('feedback', as)).toBe(5)
    const refused = answers.find(({ status }) => status !== 200)
    const { quota, error } = QuotaReached.parse(await refused?.json())
    expect(quota).toMatchObject({ kind: 'feedback', of: 'user', limit: USER_ROWS_PER_DAY.feedback })
    expect(error).toContain(`limit of ${USER_ROWS_PER_DAY.feedback} pieces of feedback per day`)
    expect((await call('/api/feedback/submit', { as: someone(), json: rating(0) })).status).toBe(200)
  })

  it('does not begin at zero again for a person who erases the account', { tags: 'attack-37' }, async () => {
    const as = someone()
    await useUp(as, 'feedback', 1)
    expect((await call('/api/feedback/submit', { as, json: rating(0) })).status).toBe(200)
    await call('/api/account', { as, method: 'DELETE', json: { confirm: 'erase' } })
    expect((await call('/api/feedback/submit', { as, json: rating(1) })).status).toBe(429)
  })

  it('stores at most 2.4 MB of feedback of one person', { tags: 'attack-37' }, async () => {
    const as = someone()
    const text = (length: number) => '永'.repeat(length)
    const json = {
      ...rating(0),
      userMessage: text(FEEDBACK_MAX_CHARS),
      context: text(FEEDBACK_CONTEXT_MAX_CHARS),
      aiResponse: text(FEEDBACK_MAX_CHARS),
    }
    expect((await call('/api/feedback/submit', { as, json })).status).toBe(200)
    const sql = `SELECT length(ai_response) AS kept, octet_length(user_message) + octet_length(context)
      + octet_length(ai_response) AS bytes FROM feedback WHERE user_id = ?`
    const row = await env.DB.prepare(sql).bind(as).first<{ kept: number; bytes: number }>()
    expect(row?.kept).toBe(FEEDBACK_ANSWER_KEPT_CHARS)
    expect((row?.bytes ?? 0) * USER_ROWS_PER_DAY.feedback).toBeLessThanOrEqual(2_400_000)
  })

  it.each([
    ['/api/ai/contextual-response', { userMessage: WRENCH }],
    ['/api/ai/contextual-response/stream', { userMessage: WRENCH }],
    ['/api/qa/ask', { question: WRENCH }],
  ])('is so many questions by %s', { tags: 'attack-38' }, async (path, question) => {
    const { moduleId } = await seedTutored()
    const as = someone()
    await useUp(as, 'questions', 1)
    const ask = () => call(path, { as, json: { ...question, moduleId } })
    const first = await ask()
    expect(first.status).toBe(200)
    await first.text()
    const { quota } = QuotaReached.parse(await (await ask()).json())
    expect(quota).toMatchObject({ kind: 'questions', limit: USER_ROWS_PER_DAY.questions })
    await expect.poll(() => countRows('questions', as)).toBe(1)
    // About what a person may not see nothing is counted.
    const missing = { ...question, moduleId: 'x'.repeat(22) }
    expect((await call(path, { as, json: missing })).status).toBe(404)
  })

  it('is so many runs, by processing again and by captions', { tags: 'attack-39' }, async () => {
    const { as, moduleId } = await seedTutored()
    await useUp(as, 'runs', 0)
    const again = await call(`/api/reprocess/${moduleId}`, { as, json: { from: 'start' } })
    expect(QuotaReached.parse(await again.json()).quota.kind).toBe('runs')
    const body = 'WEBVTT\n\n00:02.000 --> 00:20.000\nOpen the lid and take the old filter out of it.\n'
    const headers = { 'content-type': 'text/vtt' }
    const transcript = async () => (await call(`/api/transcript/${moduleId}`, { as })).json()
    const before = await transcript()
    const captions = await call(`/api/captions/${moduleId}`, { as, method: 'PUT', body, headers })
    expect(QuotaReached.parse(await captions.json()).quota.kind).toBe('runs')
    expect(await transcript()).toEqual(before)
    await useUp(as, 'runs', 1)
    expect((await call(`/api/captions/${moduleId}`, { as, method: 'PUT', body, headers })).status).toBe(200)
  })
})
