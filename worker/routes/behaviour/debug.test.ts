// Behaviour: what an operator sees and may do: `/api/debug` and making a module again.
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AiUseAnswer, DebugListAnswer, DebugTimelineAnswer } from '#contract/debug.ts'
import { ReprocessAnswer } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { seedWork } from '#worker/domain/step/testing/seed-steps.ts'
import { linesOf } from '#worker/log/testing/lines.ts'

const PATH = '/api/debug/modules/debug'
const HOUR = 60 * 60_000
const ORG = 'org_debug'

function person(): string {
  return `user_${crypto.randomUUID()}`
}

async function listed(as: string, query = '', caller = {}) {
  return answerOf(DebugListAnswer, `${PATH}${query}`, { as, ...caller })
}

describe('GET /api/debug/modules/debug', () => {
  it('shows the state of a module with the numbers of its steps, questions and ratings', {
    tags: ['spec-3.8', 'spec-4.2', 'spec-7.16', 'spec-9.7'],
  }, async () => {
    const { as, moduleId } = await seedTutored()
    const question = { moduleId, userMessage: "What's the next step?" }
    expect((await call('/api/ai/contextual-response', { as, json: question })).status).toBe(200)
    const rating = { type: 'step_generation', action: 'worked', moduleId }
    expect((await call('/api/feedback/submit', { as, json: rating })).status).toBe(200)
    const { modules, scope } = await listed(as, '?limit=50')
    expect(scope).toBe('own')
    expect(modules).toMatchObject([
      {
        id: moduleId,
        userId: as,
        status: 'READY',
        questionsCount: 1,
        feedbacksCount: 1,
        isStuck: false,
        needsAttention: false,
        mayRetry: true,
        trainingUrl: `/training/${moduleId}`,
      },
    ])
    expect(modules[0]?.stepsCount).toBeGreaterThan(2)
  })

  it('marks modules that need attention: failed, stuck, orphaned, or without steps', {
    tags: ['fault-20', 'spec-3.8', 'spec-4.2', 'spec-7.16', 'spec-9.7'],
  }, async () => {
    const as = person()
    const now = Date.now()
    const working = { userId: as, createdAt: now, receivedAt: now }
    const fine = await seedModule({ ...working, updatedAt: now })
    const stuck = await seedModule({ ...working, updatedAt: now - HOUR })
    const failed = await seedModule({ ...working, updatedAt: now, status: 'FAILED', lastError: 'No audio' })
    const empty = await seedModule({ ...working, updatedAt: now, status: 'READY' })
    const noBytes = { userId: as, sourceEtag: null, run: 0, receivedAt: null }
    const orphaned = await seedModule({ ...noBytes, updatedAt: now - 25 * HOUR })
    await seedModule({ ...noBytes, updatedAt: now })
    const byId = new Map((await listed(as)).modules.map((module) => [module.id, module]))
    expect(byId.size).toBe(5)
    expect(byId.get(fine.id)).toMatchObject({ status: 'PROCESSING', isStuck: false, needsAttention: false })
    expect(byId.get(stuck.id)).toMatchObject({ status: 'PROCESSING', isStuck: true, needsAttention: true })
    expect(byId.get(failed.id)).toMatchObject({ status: 'FAILED', lastError: 'No audio', needsAttention: true })
    expect(byId.get(empty.id)).toMatchObject({ status: 'READY', stepsCount: 0, needsAttention: true })
    expect(byId.get(orphaned.id)).toMatchObject({ status: 'orphaned', isStuck: false, needsAttention: true })

    const idsOf = async (query: string) => (await listed(as, query)).modules.map(({ id }) => id)
    expect(await idsOf('?status=failed')).toEqual([failed.id])
    expect(await idsOf('?status=ORPHANED')).toEqual([orphaned.id])
    expect(await idsOf('?stuck=true')).toEqual([stuck.id])
    for (const ready of ['completed', 'COMPLETED', 'ready']) expect(await idsOf(`?status=${ready}`)).toEqual([empty.id])
    expect(await idsOf('?stuck=true&status=failed')).toEqual([])
    expect(await idsOf('?limit=2')).toHaveLength(2)
  })

  it('shows people their own, admins their organization’s, and operators all modules', {
    tags: 'threat-5',
  }, async () => {
    const uploader = person()
    const { id } = await seedModule({ userId: uploader, orgId: ORG, createdAt: Date.now() })
    const seen = async (as: string, caller = {}) => {
      const { modules, scope } = await listed(as, '?limit=200', caller)
      return { scope, isSeen: modules.some((module) => module.id === id) }
    }
    expect(await seen(uploader)).toEqual({ scope: 'own', isSeen: true })
    expect(await seen(person())).toEqual({ scope: 'own', isSeen: false })
    expect(await seen(person(), { orgId: ORG, orgRole: 'org:member' })).toEqual({ scope: 'own', isSeen: false })
    expect(await seen(person(), { orgId: ORG, orgRole: 'org:admin' })).toEqual({ scope: 'organization', isSeen: true })
    expect(await seen(person(), { orgId: 'org_x', orgRole: 'org:admin' })).toEqual({
      scope: 'organization',
      isSeen: false,
    })
    expect(await seen('user_operator_2')).toEqual({ scope: 'all', isSeen: true })
  })

  it('offers operators to process a stuck module of others again, and only a stuck one', {
    tags: 'threat-5',
  }, async () => {
    const now = Date.now()
    const begun = { userId: person(), createdAt: now, receivedAt: now }
    const stuck = await seedModule({ ...begun, updatedAt: now - HOUR })
    const fine = await seedModule({ ...begun, updatedAt: now, status: 'READY' })
    const mayRetry = async (as: string, caller = {}) => {
      const { modules } = await listed(as, '?limit=200', caller)
      return [stuck, fine].map(({ id }) => modules.find((module) => module.id === id)?.mayRetry)
    }
    expect(await mayRetry('user_operator')).toEqual([true, false])
    expect(await mayRetry(begun.userId)).toEqual([true, true])
    expect(await mayRetry(person())).toEqual([undefined, undefined])
  })

  it.each(['?limit=0', '?limit=201', '?limit=many', '?status=lost', '?stuck=maybe', '?stuk=true'])(
    'refuses %s',
    async (query) => {
      expect((await problemOf(`${PATH}${query}`, { as: person() })).code).toBe('invalid_request')
    },
  )
})

describe('GET /api/debug/modules/{id}', () => {
  it('shows how far each stage of each run is, and how often it was attempted', async () => {
    const { id, as } = await seedWork()
    const insert = `INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms,
                      start_ms, end_ms, status, transcribed_at) VALUES (?1, 1, ?2, 'k', 'audio/mp4', 0, 1, 0, 1, ?3, ?4)`
    const part = (number: number, status: string, transcribedAt: number | null) =>
      env.DB.prepare(insert).bind(id.moduleId, number, status, transcribedAt)
    const addTask = `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, lease_id, attempts, next_attempt_at,
                       busy_since) VALUES ('run', ?1 || '/1', ?2, ?3, 'l', ?4, 0, ?5)`
    const task = (kind: string, index: number, failures: number, busySince: number | null = null) =>
      env.DB.prepare(addTask).bind(id.moduleId, kind, index, failures, busySince)
    const section = env.DB.prepare(
      `INSERT INTO sections (module_id, run, section, from_position, to_position, status, is_draft)
       VALUES (?1, 1, 0, 0, 4, 'written', 1)`,
    ).bind(id.moduleId)
    const counted = env.DB.prepare(
      'UPDATE runs SET transcribed_count = 1, chunk_count = 2, written_sections = 1 WHERE module_id = ?1',
    ).bind(id.moduleId)
    const tasks = [task('transcribe', 0, 0), task('transcribe', 1, 3, 4_000), task('write_steps', 0, 2)]
    await env.DB.batch([part(0, 'transcribed', 5_000), part(1, 'planned', null), section, counted, ...tasks])
    const { runs, module } = await answerOf(DebugTimelineAnswer, `/api/debug/modules/${id.moduleId}`, { as })
    expect(module.id).toBe(id.moduleId)
    expect(runs).toMatchObject([
      {
        run: 1,
        trigger: 'upload',
        endedAt: null,
        outcome: null,
        audio: { done: 1, total: 2, tries: 5, mostTries: 4, busy: 1, lastTranscribedAt: '1970-01-01T00:00:05.000Z' },
        steps: { done: 1, total: null, tries: 3, mostTries: 3, busy: 0, drafts: 1 },
      },
    ])
  })
})

describe('POST /api/reprocess/{id} by an operator', () => {
  it('gets a stuck module of another person going again, and logs who did it', { tags: 'threat-5' }, async () => {
    const [as, now] = [person(), Date.now()]
    const begun = { userId: as, createdAt: now, receivedAt: now }
    const stuck = await seedModule({ ...begun, updatedAt: now - HOUR })
    const path = `/api/reprocess/${stuck.id}`
    expect((await problemOf(path, { as: person(), method: 'POST' })).code).toBe('not_found')
    const lines = await linesOf(async () => {
      expect(await answerOf(ReprocessAnswer, path, { as: 'user_operator', method: 'POST' })).toMatchObject({ run: 2 })
    })
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: 'module_reprocessed_by_operator',
        userId: 'user_operator',
        ownerId: as,
        moduleId: stuck.id,
      }),
    )
    // It is being worked on again.
    expect((await problemOf(path, { as: 'user_operator', method: 'POST' })).code).toBe('not_found')
    expect((await listed(as)).modules[0]).toMatchObject({ id: stuck.id, isStuck: false })
  })

  it.each(['READY', 'FAILED', 'PROCESSING'] as const)(
    'finds no module of another person that is %s',
    async (status) => {
      const now = Date.now()
      const { id } = await seedModule({ userId: person(), receivedAt: now, updatedAt: now, status })
      expect((await problemOf(`/api/reprocess/${id}`, { as: 'user_operator', method: 'POST' })).code).toBe('not_found')
    },
  )
})

describe('GET /api/debug/usage', () => {
  it('sums up calls of models by module and day, and estimates their cost', async () => {
    const { id, as } = await seedWork()
    await env.DB.batch([
      env.DB.prepare('UPDATE runs SET transcribed_ms = 3600000, written_sections = 20 WHERE module_id = ?1').bind(
        id.moduleId,
      ),
      env.DB.prepare("INSERT INTO tutor_days VALUES (?1, strftime('%Y-%m-%d', 'now'), 10, 0)").bind(id.moduleId),
    ])
    const { rows, totalUsd } = await answerOf(AiUseAnswer, '/api/debug/usage', { as })
    expect(rows).toMatchObject([
      {
        moduleId: id.moduleId,
        transcribedMinutes: 60,
        writtenSections: 20,
        modelAnswers: 10,
        day: new Date().toISOString().slice(0, 10),
      },
    ])
    // An hour of video is about five cents (28,000 tokens in, 9,000 out, and 60 minutes of audio); ten answers under one.
    expect(totalUsd).toBeGreaterThan(0.05)
    expect(totalUsd).toBeLessThan(0.08)
    expect((await answerOf(AiUseAnswer, '/api/debug/usage', { as: person() })).rows).toEqual([])
  })

  it('shows operators alone when the limit of everyone for models is used up', async () => {
    const vars = env as { TOTAL_AI_USD_PER_DAY: string }
    vars.TOTAL_AI_USD_PER_DAY = '2'
    onTestFinished(() => void Object.assign(vars, { TOTAL_AI_USD_PER_DAY: '' }))
    const reachedBy = async (as: string) => (await answerOf(AiUseAnswer, '/api/debug/usage', { as })).reached
    const day = new Date().toISOString().slice(0, 10)
    const setUse = (amount: number) =>
      env.DB.prepare(`INSERT INTO quota_uses (module_id, kind, day, user_id, amount) VALUES ('everyone', 'ai', ?, 'everyone', ?)
        ON CONFLICT DO UPDATE SET amount = excluded.amount`)
        .bind(day, amount)
        .run()
    onTestFinished(() => void setUse(0))
    await setUse(1_900_000)
    expect(await reachedBy('user_operator')).toBeNull()
    await setUse(2_000_000)
    expect(await reachedBy('user_operator')).toMatchObject({ kind: 'ai', of: 'everyone', limit: 2 })
    expect(await reachedBy(person())).toBeNull()
  })

  it('shows operators the dearest of two days, and what all of a month cost', async () => {
    const dayAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10)
    const used = () => answerOf(AiUseAnswer, '/api/debug/usage', { as: 'user_operator' })
    const before = await used()
    const { id: cheap } = await seedModule({ status: 'READY' })
    const { id: dear } = await seedModule({ status: 'READY' })
    const pay = env.DB.prepare(`INSERT INTO quota_uses (module_id, kind, day, user_id, amount) VALUES (?, ?, ?, 'x', ?)
      ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`)
    await env.DB.batch([
      pay.bind(cheap, 'ai', dayAgo(0), 20_000),
      pay.bind(cheap, 'minutes', dayAgo(0), 90_000),
      pay.bind(dear, 'ai', dayAgo(1), 50_000),
      pay.bind(dear, 'ai', dayAgo(2), 70_000),
      pay.bind('a module that is gone', 'ai', dayAgo(0), 60_000),
      pay.bind('everyone', 'ai', dayAgo(0), 80_000),
      pay.bind('everyone', 'ai', dayAgo(29), 100_000),
      pay.bind('everyone', 'ai', dayAgo(31), 900_000),
      env.DB.prepare(
        `INSERT INTO runs (module_id, run, "trigger", started_at, transcribed_ms, written_sections) VALUES (?, 9, 'upload', ?, 120000, 3)`,
      ).bind(cheap, Date.now()),
      env.DB.prepare('INSERT INTO tutor_days VALUES (?1, ?2, 4, 0)').bind(cheap, dayAgo(0)),
    ])
    const { scope, rows, totalUsd } = await used()
    expect(scope).toBe('all')
    expect(totalUsd - before.totalUsd).toBeCloseTo(0.18)
    expect(rows.filter(({ moduleId }) => [cheap, dear].includes(moduleId))).toMatchObject([
      { moduleId: dear, day: dayAgo(1), estimatedUsd: 0.05, transcribedMinutes: 0 },
      {
        moduleId: cheap,
        day: dayAgo(0),
        estimatedUsd: 0.02,
        transcribedMinutes: 2,
        writtenSections: 3,
        modelAnswers: 4,
      },
    ])
    expect(rows.map(({ moduleId }) => moduleId)).not.toContain('a module that is gone')
  })
})
