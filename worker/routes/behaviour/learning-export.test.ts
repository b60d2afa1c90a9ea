// Behaviour: the learning of a module as a file, with and without names.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, problemOf } from '#local/testing/api.ts'
import { LEARNING_PATH, openLearnerPage, seedLessons, sendReport } from '#local/testing/learners.ts'
import { openDb } from '#worker/db/db.ts'
import { exportLearning } from '#worker/domain/learning/export-learning.ts'
import { SESSIONS_PER_LEARNER } from '#worker/domain/learning/learning-limits.ts'
import { findModule } from '#worker/domain/module/module-store.ts'

const EXTENSIONS = 'https://w3id.org/xapi/video/extensions'

interface Statement {
  id: string
  timestamp: string
  actor: { account: { homePage: string; name: string } }
  verb: { id: string }
  object: { id: string }
  result?: { completion?: boolean; extensions: Record<string, unknown> }
  context: { extensions: Record<string, unknown> }
}

async function download(as: string, moduleId: string, format: 'csv' | 'xapi') {
  const answer = await call(`${LEARNING_PATH}/${moduleId}/export?format=${format}`, { as })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await answer.arrayBuffer())
  return { text, headers: answer.headers }
}

const statementsOf = async (as: string, moduleId: string) =>
  JSON.parse((await download(as, moduleId, 'xapi')).text) as Statement[]

const verbOf = ({ verb }: Statement) => verb.id.split('/').at(-1)

/** One with an account who is through, and one with the link who came twice and is not. */
async function watched() {
  const { as, moduleId } = await seedLessons()
  const account = 'user_secret_account'
  await sendReport((await openLearnerPage(moduleId, { as: account })).next([[0, 95]]), account)
  const first = await openLearnerPage(moduleId)
  await sendReport(first.next([[0, 38]]))
  const second = await openLearnerPage(moduleId, first)
  await sendReport(second.next([[30, 50]]))
  return { as, moduleId, learnerId: first.learnerId }
}

const NUMBERS = 'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)'

/** So many, who came once each. */
async function seedLearners(moduleId: string, count: number): Promise<void> {
  await env.DB.batch(
    [
      `INSERT INTO learners (module_id, learner_id, seen, seen_seconds, first_at, last_at)
       SELECT ?1, 'anyone:' || printf('%08d', n), '[[0,5]]', 5, 0, 0 FROM numbers`,
      `INSERT INTO learning_sessions (module_id, learner_id, session_id, seq, played, position_s, started_at, last_at)
       SELECT ?1, 'anyone:' || printf('%08d', n), 'session', 1, '0.000[.]5.000', 5, 0, 0 FROM numbers`,
    ].map((insert) => env.DB.prepare(`${NUMBERS} ${insert}`).bind(moduleId, count)),
  )
}

describe('GET /api/learning-metrics/{id}/export', () => {
  it("has one line for each learner, without the learner's identity", async () => {
    const { as, moduleId, learnerId } = await watched()
    const { text, headers } = await download(as, moduleId, 'csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toBe('attachment; filename="learners.csv"')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFLearner,Pseudonym,First watched,Last watched,Seconds watched,Percent watched,Completed,Self-reported,Left at second,Step 1: First,Step 2: Second',
    )
    expect(lines).toHaveLength(4)
    const [visitor, account] = [lines[1]?.split(',') ?? [], lines[2]?.split(',') ?? []]
    expect([visitor[0], ...visitor.slice(4)]).toEqual(['1', '50', '50', '', '', '50', 'finished', 'reached'])
    expect([account[0], account[4], account[5], account[7], account[8]]).toEqual(['2', '95', '95', '', ''])
    expect(account[6]).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(visitor[1]).toMatch(/^[0-9a-f]{32}$/)
    for (const secret of ['user_secret_account', learnerId, as]) expect(text).not.toContain(secret)
  })

  it('writes titles as words that no table program runs', { tags: 'threat-15' }, async () => {
    const { as, moduleId, steps } = await seedLessons()
    const title = '=HYPERLINK("https://evil.test","Press, please")'
    const [first, second] = steps
    const named = [{ ...first, title }, second]
    expect((await call(`/api/steps/${moduleId}`, { as, json: { steps: named } })).status).toBe(200)
    const { text } = await download(as, moduleId, 'csv')
    expect(text).toContain(`,"Step 1: ${title.replaceAll('"', '""')}",`)
  })

  it('gives statements of the xAPI video profile, the same each time', async () => {
    const { as, moduleId, learnerId } = await watched()
    const statements = await statementsOf(as, moduleId)
    expect(statements.map(verbOf)).toEqual([
      'initialized',
      'terminated',
      'initialized',
      'terminated',
      'initialized',
      'terminated',
      'completed',
    ])
    const [, once, , twice, , , completed] = statements
    expect(once?.result?.extensions).toEqual({
      [`${EXTENSIONS}/time`]: 38,
      [`${EXTENSIONS}/progress`]: 0.38,
      [`${EXTENSIONS}/played-segments`]: '0.000[.]38.000',
    })
    expect(twice?.result?.extensions).toMatchObject({ [`${EXTENSIONS}/progress`]: 0.5 })
    expect(once?.actor).toEqual(twice?.actor)
    expect(once?.context.extensions[`${EXTENSIONS}/session-id`]).not.toBe(
      twice?.context.extensions[`${EXTENSIONS}/session-id`],
    )
    expect(completed).toMatchObject({
      actor: { objectType: 'Agent', account: { homePage: 'http://localhost:8787' } },
      object: { id: `http://localhost:8787/share/${moduleId}` },
      result: { completion: true, extensions: { [`${EXTENSIONS}/progress`]: 0.95 } },
      context: {
        contextActivities: { category: [{ id: 'https://w3id.org/xapi/video' }] },
        extensions: { [`${EXTENSIONS}/length`]: 100, [`${EXTENSIONS}/completion-threshold`]: 0.9 },
      },
    })
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length)
    for (const { id } of statements) expect(id).toMatch(uuid)
    expect(await statementsOf(as, moduleId)).toEqual(statements)
    const text = JSON.stringify(statements)
    for (const secret of ['user_secret_account', learnerId, as]) expect(text).not.toContain(secret)
  })

  it('names the same learner differently in another module', async () => {
    const [one, other] = [await seedLessons(), await seedLessons()]
    const names = []
    for (const { as, moduleId } of [one, other]) {
      await sendReport((await openLearnerPage(moduleId, { learnerId: 'anyone:the-same-everywhere' })).next([[0, 5]]))
      names.push((await statementsOf(as, moduleId))[0]?.actor.account.name)
    }
    expect(new Set(names).size).toBe(2)
  })

  it('exports any number of learners', async () => {
    const { as, moduleId } = await seedLessons()
    const count = 2_500
    await seedLearners(moduleId, count)
    const lines = (await download(as, moduleId, 'csv')).text.trimEnd().split('\r\n').slice(1)
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(new Set(lines.map((line) => line.split(',')[1])).size).toBe(count)
  })

  it.each(['csv', 'xapi'] as const)('reads at most one page ahead of a %s download', async (format) => {
    const { moduleId } = await seedLessons()
    await seedLearners(moduleId, 2_500)
    const module = await findModule(openDb(env.DB), moduleId)
    if (module === null) throw new Error('the module is gone')
    let asked = 0
    const d1 = new Proxy(env.DB, {
      get(target, name) {
        if (name === 'prepare') asked += 1
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const context = { db: openDb(d1), d1, secrets: 'secret' }
    const stream = await exportLearning(context, module, { format, origin: 'https://adapt.test' })
    const reader = stream.getReader()
    const before = asked
    for (let chunk = 0; chunk < 2; chunk++) expect((await reader.read()).done).toBe(false)
    // One page of a thousand learners, with their sessions, and the next one begun.
    expect(asked - before).toBeLessThanOrEqual(4)
    await reader.cancel()
    const afterCancel = asked
    await scheduler.wait(20)
    expect(asked).toBe(afterCancel)
  })

  it('goes on over thousands of sessions of one learner, as versions before kept them, with the newest of them', {
    tags: 'attack-18',
  }, async () => {
    const { as, moduleId } = await seedLessons()
    await seedLearners(moduleId, 1)
    await env.DB.prepare(
      `${NUMBERS} INSERT INTO learning_sessions
         (module_id, learner_id, session_id, seq, played, position_s, started_at, last_at)
       SELECT ?1, 'anyone:00000001', printf('s%05d', n), 1, '0.000[.]5.000', 5, n, n FROM numbers`,
    )
      .bind(moduleId, 3_000)
      .run()
    const statements = await statementsOf(as, moduleId)
    expect(statements).toHaveLength(2 * SESSIONS_PER_LEARNER)
    const times = statements.map(({ timestamp }) => Date.parse(timestamp))
    expect([Math.min(...times), Math.max(...times)]).toEqual([3_001 - SESSIONS_PER_LEARNER, 3_000])
  })

  it('marks viewing that was reported faster than the video can play', async () => {
    const { as, moduleId } = await seedLessons()
    await sendReport((await openLearnerPage(moduleId, { startedAtMs: Date.now() })).next([[0, 100]]))
    const { text } = await download(as, moduleId, 'csv')
    expect(text.split('\r\n')[1]?.split(',').slice(4, 9)).toEqual(['100', '100', expect.any(String), 'yes', ''])
    const marks = (await statementsOf(as, moduleId)).map(({ result }) => result?.extensions)
    expect(marks).toEqual([
      undefined,
      expect.objectContaining({ 'http://localhost:8787/xapi/self-reported': true }),
      expect.objectContaining({ 'http://localhost:8787/xapi/self-reported': true }),
    ])
  })

  it('is empty and well formed for a module without learners', async () => {
    const { as, moduleId } = await seedLessons()
    expect(await statementsOf(as, moduleId)).toEqual([])
    expect((await download(as, moduleId, 'csv')).text.split('\r\n')).toHaveLength(2)
  })

  it('is for owners only, in one of two forms', async () => {
    const { as, moduleId } = await seedLessons()
    const path = `${LEARNING_PATH}/${moduleId}/export`
    expect(await problemOf(`${path}?format=csv`)).toMatchObject({ status: 401 })
    expect(await problemOf(`${path}?format=csv`, { as: 'user_other' })).toMatchObject({ status: 404 })
    expect(await problemOf(`${path}?format=xlsx`, { as })).toMatchObject({ code: 'invalid_request' })
    expect(await problemOf(path, { as })).toMatchObject({ code: 'invalid_request' })
  })
})
