import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LiveTicketAnswer } from '#contract/live.ts'
import { Done, ModuleAnswer, ModuleListAnswer, type ModuleWork } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { openDb } from '#worker/db/db.ts'
import { runs } from '#worker/db/schema.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { addTask, seedOpenRun } from '#worker/pipeline/testing/seed-tasks.ts'

const ORG = { orgId: 'org_1' }

/** How a module is worked on. */
interface PlantedRun {
  /** Before or after now, in milliseconds. */
  uploadedAt?: number
  audioFrom?: 'browser' | 'ingest'
  trigger?: 'upload' | 'reprocess'
  request?: string
  status?: 'READY'
  sourceEtag?: null
  captionsKey?: string
}

async function listOf(as: string, options = {}): Promise<string[]> {
  const { modules } = await answerOf(ModuleListAnswer, '/api/modules', { as, ...options })
  return modules.map((module) => module.id)
}

describe('GET /api/modules', () => {
  it('lists the modules that the caller owns, newest first, and none whose bytes have not arrived', {
    tags: 'spec-7.2',
  }, async () => {
    const userId = 'user_list'
    await seedModule({ id: 'a'.repeat(22), userId, createdAt: 1 })
    await seedModule({ id: 'b'.repeat(22), userId, createdAt: 2 })
    await seedModule({ userId, receivedAt: null })
    await seedModule({ userId, deletedAt: 5 })
    await seedModule({ userId: 'user_other' })
    expect(await listOf(userId)).toEqual(['b'.repeat(22), 'a'.repeat(22)])
  })

  it("shows an organization's modules to its members only while it is active", { tags: 'spec-6.6' }, async () => {
    const { id } = await seedModule({ userId: 'user_colleague', ...ORG })
    expect(await listOf('user_member', ORG)).toEqual([id])
    expect(await listOf('user_member')).toEqual([])
  })

  it('refuses a visitor and a token that is not ours', { tags: 'spec-6.3' }, async () => {
    expect((await problemOf('/api/modules')).code).toBe('unauthenticated')
    const headers = { authorization: 'Bearer not-a-token' }
    expect((await problemOf('/api/modules', { headers })).code).toBe('unauthenticated')
  })

  it('refuses a person who still has to choose an organization, with another code than a visitor', async () => {
    const headers = { authorization: `Bearer ${await tokenOf('user_pending', { claims: { sts: 'pending' } })}` }
    expect(await problemOf('/api/modules', { headers })).toMatchObject({ status: 403, code: 'sign_in_incomplete' })
  })
})

describe('GET /api/modules/{id}', () => {
  it('shows the owner everything and a viewer only what viewers may see', {
    tags: ['threat-3', 'spec-3.1', 'spec-7.5'],
  }, async () => {
    const { id } = await seedModule({ status: 'FAILED', failureCode: 'no_audio', lastError: 'No audio' })
    const own = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: 'user_owner' })
    expect(own.module).toMatchObject({ role: 'owner', userId: 'user_owner', lastError: 'No audio', steps: [] })
    const seen = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: 'user_viewer' })
    expect(seen.module).toMatchObject({ role: 'viewer', userId: null, lastError: null, failureCode: null })
  })

  it.each<[string, PlantedRun, ModuleWork | null]>([
    ['what the server cut from the start', {}, { seconds: 400, fromProgress: 10, waiting: null }],
    ['a run of which the video came later', { uploadedAt: -60_000 }, { seconds: 60, fromProgress: 10, waiting: null }],
    ['audio that a browser cut', { audioFrom: 'browser' }, { seconds: 400, fromProgress: null, waiting: null }],
    [
      'a run that continues',
      { trigger: 'reprocess', request: 'failed' },
      { seconds: 400, fromProgress: null, waiting: null },
    ],
    ['captions', { captionsKey: 'captions' }, { seconds: 400, fromProgress: null, waiting: null }],
    ['a module that is ready', { status: 'READY' }, null],
    ['a video on its way', { sourceEtag: null }, null],
  ])('says how long a module has been worked on: %s', { tags: 'spec-4.8' }, async (_what, fields, work) => {
    const nowMs = Date.now()
    const { uploadedAt = -500_000, audioFrom = 'ingest', trigger = 'upload', request = null, ...module } = fields
    const { id } = await seedModule({ ...module, run: 1, uploadedAt: nowMs + uploadedAt })
    await openDb(env.DB)
      .insert(runs)
      .values({ moduleId: id, run: 1, trigger, request, audioFrom, startedAt: nowMs - 400_000, admittedAt: nowMs })
    const { work: answered } = (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: 'user_viewer' })).module
    // The few seconds that this test takes count as well.
    expect(answered && { ...answered, seconds: Math.round(answered.seconds / 20) * 20 }).toEqual(work)
  })

  it('says how many videos of its owner come before one that waits for its turn, and about when that comes', async () => {
    const [userId, nowMs] = [`user_${crypto.randomUUID()}`, Date.now()]
    const plant = async (at: number, fields: Partial<typeof runs.$inferInsert>) => {
      const { id } = await seedModule({ userId, run: 1, status: fields.outcome === 'ready' ? 'READY' : 'PROCESSING' })
      const run = { moduleId: id, run: 1, trigger: 'upload', startedAt: nowMs - 500_000 + at } as const
      await openDb(env.DB)
        .insert(runs)
        .values({ ...run, ...fields })
      return id
    }
    const waitingOf = async (id: string) =>
      (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: userId })).module.work?.waiting
    for (let place = 0; place < 3; place++) await plant(place, { admittedAt: nowMs })
    const [first, second] = [await plant(4, {}), await plant(5, {})]
    expect(await waitingOf(first)).toEqual({ before: 3, seconds: null })
    const ended = { outcome: 'ready', admittedAt: nowMs - 120_000, endedAt: nowMs - 60_000 } as const
    for (let done = 0; done < 2; done++) await plant(0, ended)
    expect(await waitingOf(first)).toEqual({ before: 3, seconds: 20 })
    expect(await waitingOf(second)).toEqual({ before: 4, seconds: 40 })
  })

  it('says when a busy model is asked next, where nothing else of a module can be done', async () => {
    const id = await seedOpenRun({ userId: 'user_owner' })
    for (const index of [0, 1]) await addTask({ ...id, index, nextAttemptAt: Date.now() + 60_000 })
    const readWaiting = async () =>
      (await answerOf(ModuleAnswer, `/api/modules/${id.moduleId}`, { as: 'user_owner' })).module.work?.waiting
    const setBusy = env.DB.prepare("UPDATE task_queue SET busy_since = 1 WHERE subject_id GLOB ? || '*' AND idx >= ?")
    await setBusy.bind(id.moduleId, 1).run()
    expect(await readWaiting()).toBeNull()
    await setBusy.bind(id.moduleId, 0).run()
    const waiting = await readWaiting()
    expect(waiting?.before).toBe(0)
    expect(waiting?.seconds).toBeGreaterThan(30)
    expect(waiting?.seconds).toBeLessThanOrEqual(60)
  })

  it('answers the same for a missing, malformed, deleted and un-shared module', {
    tags: ['fault-44', 'threat-1', 'spec-6.4'],
  }, async () => {
    const deleted = await seedModule({ deletedAt: 5 })
    const unshared = await seedModule({ shared: false })
    const ids = ['x'.repeat(22), 'short', '%F0%9F%92%A3', deleted.id, unshared.id]
    const problems = await Promise.all(ids.map((id) => problemOf(`/api/modules/${id}`, { as: 'user_viewer' })))
    expect(new Set(problems.map((problem) => JSON.stringify({ ...problem, requestId: '' }))).size).toBe(1)
    expect(problems[0]?.code).toBe('not_found')
  })
})

describe('the organization of a module', () => {
  const organizationOf = async (id: string, as: string, options = {}) =>
    (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as, ...options })).module.organization

  it('is known to its owners, who read whether it is the active one, and to no viewer', async () => {
    const { id } = await seedModule({ userId: 'user_colleague', ...ORG })
    expect(await organizationOf(id, 'user_member', ORG)).toBe('active')
    expect(await organizationOf(id, 'user_colleague')).toBe('other')
    expect(await organizationOf(id, 'user_colleague', { orgId: 'org_2' })).toBe('other')
    expect(await organizationOf(id, 'user_viewer', { orgId: 'org_2' })).toBeNull()
    expect(await organizationOf((await seedModule()).id, 'user_owner', ORG)).toBeNull()
  })
})

describe('PATCH /api/modules/{id}', () => {
  it('renames a module and stops sharing it', async () => {
    const { id } = await seedModule()
    await answerOf(Done, `/api/modules/${id}`, {
      as: 'user_owner',
      method: 'PATCH',
      json: { title: ' New ', shared: false },
    })
    expect(await findModule(openDb(env.DB), id)).toMatchObject({ title: 'New', shared: false })
  })

  it('stores the transcription settings, and shows them to owners only', async () => {
    const { id } = await seedModule()
    const patch = (json: unknown) => answerOf(Done, `/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json })
    const settingsOf = async (as: string) => {
      const { language, glossary } = (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
      return { language, glossary }
    }
    await patch({ language: 'pt-BR', glossary: ' Fräse, Anschlag ' })
    expect(await settingsOf('user_owner')).toEqual({ language: 'pt-BR', glossary: 'Fräse, Anschlag' })
    expect(await settingsOf('user_viewer')).toEqual({ language: null, glossary: null })
    await patch({ language: null, glossary: '  ' })
    expect(await settingsOf('user_owner')).toEqual({ language: null, glossary: null })
  })

  it.each([
    { language: 'not a language' },
    { language: 'x'.repeat(36) },
    { language: '' },
    { glossary: 'x'.repeat(801) },
    { glossary: null },
    { title: '   ' },
    { title: 'x'.repeat(201) },
  ])('refuses %j', async (json) => {
    const { id } = await seedModule()
    const problem = await problemOf(`/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json })
    expect(problem.code).toBe('invalid_request')
  })

  it('refuses a viewer, unknown fields and an empty change', { tags: 'threat-3' }, async () => {
    const { id } = await seedModule()
    const patch = (as: string, json: unknown) => problemOf(`/api/modules/${id}`, { as, method: 'PATCH', json })
    expect((await patch('user_viewer', { title: 'Mine' })).code).toBe('not_found')
    expect((await patch('user_owner', { userId: 'user_viewer' })).code).toBe('invalid_request')
    expect((await patch('user_owner', {})).code).toBe('invalid_request')
  })
})

describe('DELETE /api/modules/{id}', () => {
  it('takes the module off every page at once', { tags: ['guarantee-G7', 'spec-1.2', 'spec-7.4'] }, async () => {
    const { id } = await seedModule()
    await answerOf(Done, `/api/modules/${id}`, { as: 'user_owner', method: 'DELETE' })
    expect((await problemOf(`/api/modules/${id}`, { as: 'user_owner' })).code).toBe('not_found')
    expect((await problemOf(`/api/share/${id}`)).code).toBe('not_found')
  })

  it('is for the uploader and admins of the organization', { tags: 'spec-6.4' }, async () => {
    const { id } = await seedModule({ userId: 'user_colleague', ...ORG })
    const remove = (orgRole: string) =>
      call(`/api/modules/${id}`, { as: 'user_member', ...ORG, orgRole, method: 'DELETE' })
    const knows = async (as: string, orgRole: string) =>
      (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as, ...ORG, orgRole })).module.mayDelete
    expect(await knows('user_member', 'org:member')).toBe(false)
    expect(await knows('user_member', 'org:admin')).toBe(true)
    expect(await knows('user_colleague', 'org:member')).toBe(true)
    const manager = { as: 'user_manager', ...ORG, orgRole: 'org:trainer', orgPermissions: ['org:modules:manage'] }
    expect((await answerOf(ModuleAnswer, `/api/modules/${id}`, manager)).module.mayDelete).toBe(true)
    expect((await remove('org:member')).status).toBe(404)
    expect((await remove('org:admin')).status).toBe(200)
  })
})

describe('POST /api/modules/{id}/live-ticket', () => {
  it('gives viewers a ticket and hides un-shared modules from them', async () => {
    const { id } = await seedModule()
    const as = 'user_viewer'
    const { expiresAt } = await answerOf(LiveTicketAnswer, `/api/modules/${id}/live-ticket`, { as, method: 'POST' })
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
    const hidden = await seedModule({ shared: false })
    expect((await problemOf(`/api/modules/${hidden.id}/live-ticket`, { as, method: 'POST' })).code).toBe('not_found')
  })
})
