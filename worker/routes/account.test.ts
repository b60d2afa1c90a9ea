import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { AccountExport, EraseAnswer } from '#contract/account.ts'
import { AccountLearnerAnswer, SessionAnswer } from '#contract/learning.ts'
import { ModuleListAnswer } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { openLearnerPage, sendReport } from '#local/testing/learners.ts'
import { seedModule } from '#local/testing/modules.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { continueErasure, eraseAccount } from '#worker/domain/account/erase-account.ts'
import { takeErasures } from '#worker/domain/account/erasure-store.ts'
import { signSession } from '#worker/domain/learning/learner-token.ts'
import { ACCOUNT_TOKEN_TTL_MS } from '#worker/domain/learning/learning-limits.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { seedPerson } from '#worker/domain/record/testing/seed-people.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const ORG = { orgId: 'org_account' }
const EXPORT = '/api/account/export'

/** Says, asks and watches something of a module. */
async function takePart(as: string, moduleId: string): Promise<void> {
  await call('/api/feedback/submit', {
    as,
    json: { type: 'step_generation', action: 'worked', userMessage: 'Good', moduleId },
  })
  await call('/api/ai/contextual-response', {
    as,
    json: { userMessage: 'Where is the wrench for the wheel nuts?', turnId: `turn-${nanoid()}`, moduleId },
  })
  await sendReport((await openLearnerPage(moduleId, { as })).next([[0, 5]]), as)
}

function exportOf(as: string): Promise<AccountExport> {
  return answerOf(AccountExport, EXPORT, { as })
}

function erase(as: string, options = {}): Promise<EraseAnswer> {
  return answerOf(EraseAnswer, '/api/account', { as, method: 'DELETE', json: { confirm: 'erase' }, ...options })
}

/** All rows of the database that name something, by table. */
async function tablesNaming(text: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>()
  const found: string[] = []
  for (const { name } of results) {
    const { results: rows } = await env.DB.prepare(`SELECT * FROM "${name}"`).all()
    if (JSON.stringify(rows).includes(text)) found.push(name)
  }
  return found
}

describe('GET /api/account/export', () => {
  it('has all rows about a person in one document, and none about others', {
    tags: ['threat-20', 'attack-40'],
  }, async () => {
    const other = await seedTutored()
    const { as, moduleId } = await seedTutored({ title: 'Mine', ...ORG })
    const deleted = await seedTutored({ userId: as, title: 'Gone' })
    await call(`/api/modules/${deleted.moduleId}`, { as, method: 'DELETE' })
    for (const id of [moduleId, other.moduleId]) await takePart(as, id)
    await takePart(other.as, other.moduleId)
    const data = await exportOf(as)
    expect(data.modules).toMatchObject([
      { id: moduleId, title: 'Mine', organizationId: ORG.orgId, deletedAt: null },
      { id: deleted.moduleId, title: 'Gone', deletedAt: expect.any(String), videoUrl: null },
    ])
    for (const { steps, transcript } of data.modules) {
      expect(steps.length).toBeGreaterThan(1)
      expect(transcript.length).toBeGreaterThan(1)
    }
    expect(data.feedback.map((said) => said.moduleId)).toEqual([moduleId, other.moduleId])
    expect(data.questions).toMatchObject([{ moduleId, question: expect.stringContaining('wrench') }, {}])
    expect(data.questions[0]?.answer).not.toBe('')
    // Owners are no learners of their own.
    expect(data.learning).toMatchObject([{ moduleId: other.moduleId, position: 5, seen: [[0, 5]] }])
    expect(data.learningSessions).toMatchObject([
      { moduleId: other.moduleId, position: 5, played: expect.stringContaining('5') },
    ])
    const day = dayOf(Date.now())
    expect(data.quotaUses).toEqual([
      { kind: 'feedback', moduleId: null, day, amount: 2 },
      { kind: 'questions', moduleId: null, day, amount: 2 },
    ])
    expect(JSON.stringify(data)).not.toContain(other.as)
    const video = data.modules[0]?.videoUrl ?? ''
    expect(new URL(video).pathname).toBe(`/media/${moduleId}/video`)
  })

  it('has all sessions and all uses of a person who has very many', { tags: 'attack-40' }, async () => {
    const as = `user_${nanoid(8)}`
    const count = 250
    const learners = Array.from({ length: 3 }, (_, at) => `module-${at}-${as}`)
    const sql = `INSERT INTO learning_sessions (module_id, learner_id, session_id, seq, played, position_s, started_at, last_at)
      VALUES (?, ?, ?, 1, '0[.]5', 5, 1, 2)`
    await env.DB.batch([
      ...learners.map((moduleId) =>
        env.DB.prepare(`INSERT INTO learners (module_id, learner_id, first_at, last_at) VALUES (?, ?, 1, 2)`).bind(
          moduleId,
          `user:${as}`,
        ),
      ),
      ...Array.from({ length: count }, (_, at) =>
        env.DB.prepare(sql).bind(learners[at % 3], `user:${as}`, `session-${at}`),
      ),
      // Another learner's.
      env.DB.prepare(sql).bind(learners[0], 'anyone:another', 'session-0'),
      ...Array.from({ length: 600 }, (_, at) =>
        env.DB.prepare(
          `INSERT INTO quota_uses (module_id, kind, day, user_id, amount) VALUES (?, ?, '2026-11-22', ?, ?)`,
        ).bind(`module-${at % 300}`, at < 300 ? 'minutes' : 'ai', `${as}`, at < 300 ? 60_000 : 1_000_000),
      ),
    ])
    const { learningSessions, quotaUses } = await exportOf(as)
    expect(learningSessions).toHaveLength(count)
    expect(learningSessions.filter(({ moduleId }) => moduleId === learners[1])).toHaveLength(83)
    expect(quotaUses).toHaveLength(600)
    expect(quotaUses.every(({ amount }) => amount === 1)).toBe(true)
    expect(new Set(quotaUses.map(({ kind, moduleId }) => `${kind} ${moduleId}`)).size).toBe(600)
  })

  it('is a file, and whole for an account with many modules', async () => {
    const as = `user_${nanoid(8)}`
    const ids = await Promise.all(
      Array.from({ length: 25 }, async (_, at) => (await seedModule({ userId: as, createdAt: at % 3 })).id),
    )
    const response = await call(EXPORT, { as })
    expect(response.headers.get('content-disposition')).toContain('attachment')
    const { modules } = AccountExport.parse(await response.json())
    expect(new Set(modules.map(({ id }) => id))).toEqual(new Set(ids))
    expect(modules).toHaveLength(ids.length)
  })
})

describe('DELETE /api/account', () => {
  it('takes everything away at once and, when the sweep is done, leaves nothing that names the person', {
    tags: 'threat-20',
  }, async () => {
    const other = await seedTutored()
    const { as, moduleId } = await seedTutored({ title: 'Mine' })
    const deleted = await seedTutored({ userId: as })
    await env.MEDIA.put(`src/${moduleId}/source`, 'video')
    await call(`/api/modules/${deleted.moduleId}`, { as, method: 'DELETE' })
    for (const id of [moduleId, other.moduleId]) await takePart(as, id)
    const sums = () => env.DB.prepare('SELECT * FROM learning_totals WHERE module_id = ?').bind(other.moduleId).first()
    const before = await sums()

    const { modulesLeft, removedBy } = await erase(as)
    expect(modulesLeft).toBe(2)
    for (const id of [moduleId, deleted.moduleId]) expect((await call(`/api/share/${id}`)).status).toBe(404)
    expect((await call(`/api/modules/${deleted.moduleId}/restore`, { as, method: 'POST' })).status).toBe(404)
    const left = await exportOf(as)
    expect([left.modules, left.feedback, left.questions, left.learning]).toEqual([[], [], [], []])
    expect(await sums()).toEqual(before)

    const { deps } = openDriver()
    const later = { ...deps, nowMs: () => Date.parse(removedBy) }
    await sweepHere(later)
    await sweepHere(later)
    // What counts for today is forgotten when no limit looks at it any more.
    expect(await tablesNaming(as)).toEqual(['quota_uses'])
    await sweepHere({ ...deps, nowMs: () => Date.now() + 3 * 24 * 60 * 60_000 })
    expect(await tablesNaming(as)).toEqual([])
    expect(await tablesNaming(moduleId)).toEqual([])
    expect((await env.MEDIA.list({ prefix: `src/${moduleId}/` })).objects).toEqual([])
  })

  it("leaves an organization's modules to it, without the name of their uploader", async () => {
    const org = { orgId: `org_${nanoid(8)}` }
    const { as, moduleId } = await seedTutored(org)
    const gone = await seedTutored({ userId: as, ...org })
    await call(`/api/modules/${gone.moduleId}`, { as, method: 'DELETE' })
    await seedModule({ userId: as, ...org, sourceEtag: null, uploadId: null })
    expect((await erase(as, org)).modulesLeft).toBe(1)
    const admin = { as: 'user_admin', ...org, orgRole: 'org:admin' }
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules', admin)
    expect(modules.map(({ id }) => id)).toEqual([moduleId])
    expect(JSON.stringify(modules)).not.toContain(as)
    expect((await call(`/api/modules/${gone.moduleId}/restore`, { ...admin, method: 'POST' })).status).toBe(200)
    expect((await call(`/api/modules/${moduleId}`, { ...admin, method: 'DELETE' })).status).toBe(200)
  })

  it('takes the name out of the training records of an organization', async () => {
    await seedPerson('org_of_erased', { id: 'p1', name: 'Anna Berg', userId: 'user_recorded' })
    await erase('user_recorded')
    const left = await env.DB.prepare("SELECT name FROM people WHERE org_id = 'org_of_erased'").all()
    expect(left.results).toEqual([])
  })

  it('keeps the modules that the person makes afterwards, and may be requested twice', async () => {
    const { as } = await seedTutored({ createdAt: 5 })
    await Promise.all([erase(as), erase(as)])
    const { id } = await seedModule({ userId: as, createdAt: Date.now() + 60_000 })
    const { deps } = openDriver()
    await sweepHere(deps)
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules', { as })
    expect(modules.map((module) => module.id)).toEqual([id])
  })

  it('ends what was signed for the learner before, also once the sweep has removed the request', {
    tags: 'attack-66',
  }, async () => {
    const as = `user_${nanoid(8)}`
    const { moduleId } = await seedTutored()
    const { learner } = await answerOf(AccountLearnerAnswer, '/api/learning-metrics/account', { as, method: 'POST' })
    const start = (json: object) => answerOf(SessionAnswer, `/api/learning-metrics/${moduleId}/sessions`, { json })
    const { session } = await start({ learner })
    const report = (seq: number, token = session) => ({
      json: { moduleId, session: token, seq, segments: [], position: 1 },
    })
    expect((await call('/api/learning-metrics', report(1))).status).toBe(200)
    await erase(as)
    const { deps } = openDriver()
    for (const laterMs of [0, 60_000]) {
      if (laterMs > 0) await sweepHere({ ...deps, nowMs: () => Date.now() + laterMs })
      expect((await problemOf('/api/learning-metrics', report(2))).code).toBe('session_invalid')
      const again = await start({ learner, since: session })
      expect(again).toMatchObject({ hasAccount: false, progress: { seen: [] } })
      expect(await tablesNaming(as)).toEqual(laterMs > 0 ? [] : ['account_erasures'])
    }
    // Who signs in again begins from nothing.
    const account = await answerOf(AccountLearnerAnswer, '/api/learning-metrics/account', { as, method: 'POST' })
    const fresh = await start({ learner: account.learner, since: session })
    expect(fresh.hasAccount).toBe(true)
    expect((await call('/api/learning-metrics', report(1, fresh.session))).status).toBe(200)
  })

  it('ends sessions of accounts with the tokens that began them', { tags: 'attack-66' }, async () => {
    const { moduleId } = await seedTutored()
    const startedAtMs = Date.now() - ACCOUNT_TOKEN_TTL_MS
    const token = { moduleId, learnerId: 'user:watching', sessionId: nanoid(), startedAtMs }
    const json = { moduleId, session: await signSession(env.TICKET_SECRET, token), seq: 1, segments: [], position: 1 }
    expect((await problemOf('/api/learning-metrics', { json })).code).toBe('session_invalid')
  })

  it('may be requested again by a person who continues to watch from the same page', async () => {
    const as = `user_${nanoid(8)}`
    const { moduleId } = await seedTutored()
    const watch = { as, json: (await openLearnerPage(moduleId, { as })).next([[0, 5]]) }
    const sweepLater = async () => {
      const { deps } = openDriver()
      await sweepHere({ ...deps, nowMs: () => Date.now() + 60_000 })
    }
    for (let time = 0; time < 2; time++) {
      expect((await call('/api/learning-metrics', watch)).status).toBe(200)
      await erase(as)
    }
    // Under way since before it was asked for, and counted after it was begun.
    await call('/api/learning-metrics', watch)
    await env.DB.prepare('UPDATE learners SET first_at = 1 WHERE learner_id = ?').bind(`user:${as}`).run()
    await sweepLater()
    expect(await tablesNaming(as)).toEqual([])
  })

  /** Plants so many modules that they are not deleted at once. */
  async function seedMany(as: string): Promise<void> {
    await env.DB.prepare(
      `INSERT INTO modules (id, user_id, title, filename, status, message, source_key, declared_type, source_etag, created_at, received_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       SELECT ?1 || printf('-%030d', i), ?1, 'T', 'f', 'READY', 'Ready', ?1 || i, 'video/mp4', 'e', i, i, i FROM n`,
    )
      .bind(as)
      .run()
  }

  it('takes more than one step can do bit by bit, and hides it all in the end', async () => {
    const as = `user_${nanoid(8)}`
    await seedMany(as)
    const { deps } = openDriver()
    const nowMs = Date.now()
    const erased = await eraseAccount({ ...deps, nowMs: () => nowMs }, as, async () => undefined)
    expect(erased).toMatchObject({ modulesLeft: 250, isDone: true })
    expect((await answerOf(ModuleListAnswer, '/api/modules', { as })).modules).toEqual([])
  })

  it('says so when a request has no time for all modules, counts those that are left, and is continued', async () => {
    const as = `user_${nanoid(8)}`
    await seedMany(as)
    const { deps } = openDriver()
    let nowMs = Date.now()
    const slow = { ...deps, nowMs: () => (nowMs += 2_500) }
    const startMs = nowMs + 2_500
    const { removedBy, ...erased } = await eraseAccount(slow, as, async () => undefined)
    expect(erased).toEqual({ success: true, modulesLeft: 250, isDone: false })
    expect(Date.parse(removedBy) - startMs).toBe((30 + 14) * 60_000)
    const hasModules = async () => (await answerOf(ModuleListAnswer, '/api/modules', { as })).modules.length > 0
    expect(await hasModules()).toBe(true)
    for (let sweeps = 0; sweeps < 2; sweeps++) {
      for (const erasure of await takeErasures(deps.db, deps.nowMs(), 100)) await continueErasure(deps, erasure)
    }
    expect(await hasModules()).toBe(false)
  })

  it.each([{}, { confirm: 'yes' }, { confirm: 'erase', also: 1 }])('does nothing when asked with %j', async (json) => {
    const { as } = await seedTutored()
    expect((await problemOf('/api/account', { as, method: 'DELETE', json })).code).toBe('invalid_request')
    expect((await exportOf(as)).modules).toHaveLength(1)
  })
})
