// Behaviour: quotas of persons and organizations, from configuration to the answer of each route.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PRESIGNED_URL_TTL_S } from '#contract/limits.ts'
import { type Quota, QuotaReached } from '#contract/problem.ts'
import { StepsAnswer } from '#contract/step.ts'
import { PresignAnswer } from '#contract/upload.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'
import { makeChunk } from '#media/testing/make-chunk.ts'
import { MP4_BEGINNING } from '#media/testing/mp4-beginning.ts'
import { makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { languageServices } from '#worker/adapters/language/speak.ts'
import type { Quotas } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { watchServices } from '#worker/domain/health/outcome-store.ts'
import { settleRefund } from '#worker/domain/lifecycle/erase-module.ts'
import { cancelUpload } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { listRefundsDue, pay } from '#worker/domain/quota/quota-store.ts'
import { paidSpeech, paidStepWriter, payForAnswer, usdOfCall } from '#worker/domain/quota/spend-ai.ts'
import { dayOf, makeQuotas, UNITS } from '#worker/domain/quota/take-quota.ts'
import { addCaptions, reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { answerTurn } from '#worker/domain/tutor/answer-turn.ts'
import { readTurn } from '#worker/domain/tutor/ask-tutor.ts'
import { presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { openDriver, seedRun, transcribedIn } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { TutorSentence, TutorTask } from '#worker/ports/language-model.ts'
import { ANSWER_MAX_TOKENS } from '#worker/ports/language-model.ts'

holdTasks()

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const PRESIGN = '/api/presigned-upload/presigned-url'
const COMPLETE = '/api/upload/complete'
const NONE = {
  modules: null,
  minutes: null,
  ai: null,
  bytes: null,
  feedback: null,
  questions: null,
  runs: null,
  photos: null,
}
const MINUTE = 60_000
const CAPTIONS = 'WEBVTT\n\n00:02.000 --> 00:20.000\nOpen the lid and take the old filter out of it.\n'

type Deps = ReturnType<typeof openDriver>['deps']
type QuotaVar = Extract<keyof Env, `${string}_PER_DAY`>

/** Configures quotas of the worker under test until the test ends. */
function configure(vars: Partial<Record<QuotaVar, string>>): void {
  const before = Object.fromEntries(Object.keys(vars).map((name) => [name, env[name as QuotaVar]]))
  Object.assign(env, vars)
  onTestFinished(() => void Object.assign(env, before))
}

function quotasOf(user: Partial<Quotas['user']>, organization: Partial<Quotas['user']> = {}): Quotas {
  const none = { everyone: { ai: null }, mails: { organization: null, everyone: null }, rows: null }
  return { user: { ...NONE, ...user }, organization: { ...NONE, ...organization }, ...none }
}

const someone = () => `user_${nanoid(8)}`
const presigned = (as: string, more = {}) => ({ as, json: { filename: 'a.mp4', contentType: 'video/mp4', ...more } })
const presign = (as: string, more = {}) => answerOf(PresignAnswer, PRESIGN, presigned(as, more))
const quotaOf = async (options: Parameters<typeof call>[1], path = PRESIGN): Promise<Quota> =>
  QuotaReached.parse(await (await call(path, options)).json()).quota

const URL_MS = PRESIGNED_URL_TTL_S * 1_000

/** As a sweep does it after so long. */
async function settleRefunds(afterMs = 2 * URL_MS + MINUTE): Promise<void> {
  const nowMs = Date.now() + afterMs
  const deps = { ...openDriver().deps, nowMs: () => nowMs }
  for (const due of await listRefundsDue(env.DB, nowMs, 1_000)) await settleRefund(deps, due)
}

function sumOf(holder: 'user_id' | 'org_id', id: string, kind: string): Promise<number | null> {
  const sql = `SELECT coalesce(sum(amount), 0) AS sum FROM quota_uses WHERE ${holder} = ? AND kind = ?`
  return env.DB.prepare(sql).bind(id, kind).first<number>('sum')
}

describe('the quota of modules', () => {
  it('is never passed by any number of uploads at the same moment, alone or in an organization', async () => {
    const deps = openDriver().deps
    const uploads = fc.array(
      fc.record({ user: fc.nat(2), isInOrg: fc.boolean(), minutes: fc.nat(4), isDiscarded: fc.boolean() }),
      { minLength: 1, maxLength: 14 },
    )
    const most = fc.record({ modules: fc.nat(4), minutes: fc.nat(9) })
    const property = fc.asyncProperty(uploads, most, most, async (plan, user, organization) => {
      const round = nanoid(8)
      const orgId = `org_${round}`
      const toLimits = (of: typeof user) => ({ modules: of.modules, minutes: of.minutes * MINUTE })
      const quotas = quotasOf(toLimits(user), toLimits(organization))
      const isFull = async () => {
        const people = [0, 1, 2].map((person) => `user_${round}_${person}`)
        const sums = (kind: string) => Promise.all(people.map((id) => sumOf('user_id', id, kind)))
        expect(Math.max(...(await sums('modules')).map(Number))).toBeLessThanOrEqual(user.modules)
        expect(Math.max(...(await sums('minutes')).map(Number))).toBeLessThanOrEqual(user.minutes * MINUTE)
        expect(await sumOf('org_id', orgId, 'modules')).toBeLessThanOrEqual(organization.modules)
        expect(await sumOf('org_id', orgId, 'minutes')).toBeLessThanOrEqual(organization.minutes * MINUTE)
      }
      const begun = await Promise.all(
        plan.map(async ({ user: person, isInOrg, minutes, isDiscarded }) => {
          const userId = `user_${round}_${person}`
          const caller = { userId, orgId: isInOrg ? orgId : null, orgRole: null, orgPermissions: [] }
          const request = { filename: 'a.mp4', contentType: 'video/mp4', durationMs: minutes * MINUTE }
          try {
            const { moduleId } = await presignUpload({ ...deps, quotas }, caller, request)
            if (isDiscarded) await cancelUpload({ ...deps, quotas }, caller, moduleId)
            return { moduleId, isDiscarded }
          } catch (error) {
            if (!(error instanceof AppError && error.code === 'quota_reached')) throw error
          }
          return null
        }),
      )
      await isFull()
      const counted = async () => {
        const sql = `SELECT module_id AS id FROM quota_uses WHERE user_id LIKE ? AND kind = 'modules'`
        const uses = await env.DB.prepare(sql).bind(`user_${round}_%`).all<{ id: string }>()
        return uses.results.map(({ id }) => id).sort()
      }
      const all = begun.filter((each) => each !== null)
      // What counts is what was begun: nothing is lost, nothing counts twice.
      expect(await counted()).toEqual(all.map(({ moduleId }) => moduleId).sort())
      await settleRefunds()
      expect(await counted()).toEqual(all.flatMap((each) => (each.isDiscarded ? [] : each.moduleId)).sort())
    })
    await fc.assert(property, { numRuns: 12 })
  })

  it('lets exactly as many uploads begin as it says, and names the limit and when it opens again', {
    tags: 'threat-4',
  }, async () => {
    configure({ USER_MODULES_PER_DAY: '3' })
    const as = someone()
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(PRESIGN, presigned(as))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 429, 429, 429, 429, 429,
    ])
    const refused = answers.find(({ status }) => status === 429)
    const untilS = (Date.parse(`${dayOf(Date.now() + 24 * 60 * MINUTE)}T00:00:00Z`) - Date.now()) / 1_000
    expect(Math.abs(Number(refused?.headers.get('retry-after')) - untilS)).toBeLessThan(5)
    const { quota, error } = QuotaReached.parse(await refused?.json())
    expect(quota).toMatchObject({ kind: 'modules', of: 'user', limit: 3 })
    expect(Date.parse(quota.opensAt)).toBeGreaterThan(Date.now())
    expect(error).toMatch(/^Your account has reached its limit of 3 videos per day\. It opens again at 00:00 UTC/)
    expect((await call(PRESIGN, presigned(someone()))).status).toBe(200)
  })

  it('counts for the active organization too, and says so', async () => {
    configure({ USER_MODULES_PER_DAY: '9', ORG_MODULES_PER_DAY: '1' })
    const orgId = `org_${nanoid(8)}`
    await answerOf(PresignAnswer, PRESIGN, { ...presigned(someone()), orgId })
    expect(await quotaOf({ ...presigned(someone()), orgId })).toMatchObject({ of: 'organization', limit: 1 })
    expect((await call(PRESIGN, presigned(someone()))).status).toBe(200)
  })

  it('allows nothing where it is 0', async () => {
    configure({ USER_MODULES_PER_DAY: '0' })
    expect(await quotaOf(presigned(someone()))).toMatchObject({ limit: 0 })
  })

  it('is refunded for a discarded upload, once its address has expired', { tags: 'attack-7' }, async () => {
    configure({ USER_MODULES_PER_DAY: '1', USER_MINUTES_PER_DAY: '10' })
    const as = someone()
    const { moduleId } = await presign(as, { durationMs: 6 * MINUTE })
    expect((await call(`/api/upload/${moduleId}`, { as, method: 'DELETE' })).status).toBe(200)
    await settleRefunds(URL_MS)
    expect(await quotaOf(presigned(as))).toMatchObject({ kind: 'modules', limit: 1 })
    await settleRefunds()
    await presign(as, { durationMs: 6 * MINUTE })
  })

  it('is refunded for a refused upload, unless its address takes a video after all', { tags: 'attack-8' }, async () => {
    configure({ USER_MODULES_PER_DAY: '2' })
    const as = someone()
    const page = new TextEncoder().encode('<html>')
    const refused = await Promise.all([presign(as), presign(as)])
    for (const { moduleId, key } of refused) {
      await env.MEDIA.put(key, page)
      expect((await problemOf(COMPLETE, { as, json: { moduleId, key } })).code).toBe('not_a_video')
    }
    const [taken, left] = refused
    if (taken === undefined || left === undefined) throw new Error('There are two.')
    await env.MEDIA.put(taken.key, MP4_BEGINNING)
    expect((await call(COMPLETE, { as, json: { moduleId: taken.moduleId, key: taken.key } })).status).toBe(200)
    await env.MEDIA.put(left.key, page)
    await settleRefunds()
    expect(await env.MEDIA.head(left.key)).toBeNull()
    expect((await env.MEDIA.head(taken.key))?.size).toBe(MP4_BEGINNING.byteLength)
    expect(await sumOf('user_id', as, 'modules')).toBe(1)
  })

  it('is not refunded for a module that a model was asked about, and not by deleting it', async () => {
    const driver = openDriver()
    const { deps } = driver
    deps.quotas = quotasOf({ modules: 1 })
    const userId = someone()
    const caller = { userId, orgId: null, orgRole: null, orgPermissions: [] }
    const run = await seedRun(MINUTE / 2, { userId })
    await env.DB.prepare(
      `INSERT INTO quota_uses (module_id, kind, day, user_id, amount) VALUES (?, 'modules', ?, ?, 1)`,
    )
      .bind(run.moduleId, dayOf(Date.now()), userId)
      .run()
    await driver.drain()
    await cancelUpload(deps, caller, run.moduleId)
    expect(await sumOf('user_id', userId, 'modules')).toBe(1)
  })
})

describe('the quota of minutes', () => {
  it('refuses before a byte is sent where the browser knows the length', async () => {
    configure({ USER_MINUTES_PER_DAY: '10' })
    const as = someone()
    await presign(as, { durationMs: 6 * MINUTE })
    expect(await quotaOf(presigned(as, { durationMs: 5 * MINUTE }))).toMatchObject({ kind: 'minutes', limit: 10 })
    await presign(as, { durationMs: 4 * MINUTE })
    expect(await sumOf('user_id', as, 'modules')).toBe(0)
  })

  it('counts the real minutes of the video; a video that is too long fails, is kept, and continues another day', async () => {
    const driver = openDriver()
    const { deps } = driver
    deps.quotas = quotasOf({ minutes: MINUTE / 2 })
    const userId = someone()
    const run = await seedRun(MINUTE, { userId })
    await driver.drain()
    const failed = await findModule(deps.db, run.moduleId)
    expect(failed).toMatchObject({ status: 'FAILED', failureCode: 'minutes_quota' })
    expect(failed?.lastError).toMatch(/limit of 0\.5 minutes of video per day.*Your video is kept/)
    if (failed === null) return
    // Tomorrow, and with room for it.
    const nowMs = Date.now() + 24 * 60 * MINUTE
    deps.nowMs = () => nowMs
    deps.quotas = quotasOf({ minutes: 2 * MINUTE })
    await reprocessModule(deps, failed, {})
    await driver.drain()
    expect(await findModule(deps.db, run.moduleId)).toMatchObject({ status: 'READY' })
    expect(Number(await sumOf('user_id', userId, 'minutes'))).toBeGreaterThan(MINUTE / 2)
  })
})

describe('the quota of bytes', () => {
  const GB = 1024 ** 3
  const sizeOf = (as: string) => sumOf('user_id', as, 'bytes')

  it('reserves the largest size for an upload that declares none, however many come at the same moment', {
    tags: 'attack-6',
  }, async () => {
    configure({ USER_UPLOAD_BYTES_PER_DAY: String(5 * GB) })
    const as = someone()
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(PRESIGN, presigned(as))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429])
    const refused = QuotaReached.parse(await answers.find(({ status }) => status === 429)?.json())
    expect(refused.quota).toMatchObject({ kind: 'bytes', of: 'user', limit: 5 * GB })
    expect(refused.error).toMatch(/^Your account has reached its limit of 5 GB of uploads per day\./)
    expect(await sizeOf(as)).toBe(4 * GB)
    await presign(as, { sizeBytes: GB })
    expect((await call(PRESIGN, presigned(as, { sizeBytes: 1 }))).status).toBe(429)
  })

  it('counts the bytes that arrived in place of the reservation, once the address has expired', {
    tags: 'attack-6',
  }, async () => {
    configure({ USER_UPLOAD_BYTES_PER_DAY: String(5 * GB) })
    const as = someone()
    const { moduleId, key } = await presign(as)
    await env.MEDIA.put(key, MP4_BEGINNING)
    expect((await call(COMPLETE, { as, json: { moduleId, key } })).status).toBe(200)
    await settleRefunds(URL_MS)
    expect(await sizeOf(as)).toBe(2 * GB)
    await settleRefunds()
    expect(await sizeOf(as)).toBe(MP4_BEGINNING.byteLength)
    expect((await env.MEDIA.head(key))?.size).toBe(MP4_BEGINNING.byteLength)
  })

  it('keeps no object that took the place of the video in its address’s last minutes', {
    tags: 'attack-8',
  }, async () => {
    configure({ USER_UPLOAD_BYTES_PER_DAY: String(5 * GB) })
    const as = someone()
    const { moduleId, key } = await presign(as)
    await env.MEDIA.put(key, MP4_BEGINNING)
    expect((await call(COMPLETE, { as, json: { moduleId, key } })).status).toBe(200)
    await env.MEDIA.put(key, new Uint8Array(1_000_000))
    await settleRefunds()
    expect(await env.MEDIA.head(key)).toBeNull()
  })

  it('is refunded for a discarded upload, also after it was transcribed, once the address has expired', {
    tags: 'attack-7',
  }, async () => {
    const { deps } = openDriver()
    deps.quotas = quotasOf({ bytes: 100 })
    const caller = { userId: someone(), orgId: null, orgRole: null, orgPermissions: [] }
    const request = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes: 60 }
    const again = () => presignUpload(deps, caller, request)
    const { moduleId } = await again()
    await env.DB.prepare(
      "INSERT INTO runs (module_id, run, trigger, started_at, transcribed_count) VALUES (?, 1, 'upload', 0, 1)",
    )
      .bind(moduleId)
      .run()
    await cancelUpload(deps, caller, moduleId)
    await expect(again()).rejects.toMatchObject({ code: 'quota_reached' })
    await settleRefunds()
    await again()
  })

  it('counts each address for audio by the size that is signed into it', { tags: 'attack-9' }, async () => {
    configure({ USER_UPLOAD_BYTES_PER_DAY: '1000' })
    const as = someone()
    const { moduleId } = await presign(as, { sizeBytes: 100 })
    const json = { chunks: [0, 1].map((chunk) => ({ chunk, sizeBytes: 200 })), contentType: 'audio/mp4' }
    const ask = () => call(`/api/upload/${moduleId}/audio-urls`, { as, json })
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429])
    expect(await sizeOf(as)).toBe(900)
  })
})

describe('the quota of AI', () => {
  it('is never passed by calls that come at the same moment, and is paid by the owner of the module', {
    tags: 'threat-4',
  }, async () => {
    const userId = someone()
    const { id: moduleId } = await seedModule({ userId })
    const payment = { moduleId, day: dayOf(Date.now()), amount: 30 }
    const quotas = quotasOf({ ai: 100 })
    const paid = await Promise.all(Array.from({ length: 9 }, () => pay(env.DB, payment, quotas)))
    expect(paid.filter(Boolean)).toHaveLength(3)
    expect(await sumOf('user_id', userId, 'ai')).toBe(90)
  })

  it('ends a run that needs more, with the limit in words, and takes nothing for a model that was busy', {
    tags: 'fault-22',
  }, async () => {
    let calls = 0
    const speech = { name: 'fake', transcribe: async (part: { durationMs: number }) => transcribedIn(part, ++calls) }
    const driver = openDriver({ speech })
    const { deps } = driver
    // Half a minute of audio costs 0.00026 $.
    deps.quotas = quotasOf({ ai: 0.0003 * UNITS.ai })
    const run = await seedRun(2 * MINUTE, { userId: someone() })
    await driver.drain()
    const failed = await findModule(deps.db, run.moduleId)
    expect(failed).toMatchObject({ status: 'FAILED', failureCode: 'ai_quota' })
    expect(failed?.lastError).toMatch(/^Your account has reached its limit of \$0\.0003 for AI per day/)
    expect(calls).toBeGreaterThan(0)
    const module = await seedModule({ userId: someone() })
    const busy = { name: 'busy', transcribe: () => Promise.reject(new AppError('ai_busy', 'Busy.')) }
    const counted = { id: module.id, userId: module.userId, orgId: null }
    const part = {
      audio: new Uint8Array(1),
      contentType: 'audio/ogg' as const,
      durationMs: 1_000,
      language: null,
      prompt: null,
    }
    const asked = paidSpeech(deps, counted, busy).transcribe(part, new AbortController().signal)
    await expect(asked).rejects.toMatchObject({ code: 'ai_busy' })
    expect(await sumOf('user_id', module.userId, 'ai')).toBe(0)
  })

  it('has the steps written without a model where that one costs too much', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const ask = vi.fn()
    const driver = openDriver({ stepWriter: makeStepWriter({ name: 'fake', ask, stream: ask }) })
    const { deps } = driver
    const run = await seedRun(MINUTE / 2, { userId: someone() })
    deps.quotas = quotasOf({ ai: 0.0003 * UNITS.ai })
    await driver.drain()
    expect(await findModule(deps.db, run.moduleId)).toMatchObject({ status: 'READY' })
    expect(ask).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})

const { signal } = new AbortController()

describe('the cost of steps', () => {
  const spoken = (letters: number) => ({ id: 's0', startMs: 0, endMs: 150_000, text: '今'.repeat(letters) })
  const window = { moduleTitle: 'Work', durationMs: 150_000, language: 'ja', glossary: null, before: [] }
  const GOOD = { continues: false, steps: [{ first: 1, last: 1, title: 'Open the lid', description: '' }] }

  /** A paid writer, watched as in the worker, whose model answers so, and what its owner has paid. */
  async function openPaid(replies: readonly unknown[], ai = UNITS.ai) {
    const userId = someone()
    const { id } = await seedModule({ userId })
    const ask = vi.fn()
    for (const reply of replies) {
      if (reply instanceof Error) ask.mockRejectedValueOnce(reply)
      else ask.mockResolvedValueOnce(reply)
    }
    const model = { name: 'fake', ask, stream: () => Promise.reject(new Error('It is not streamed.')) }
    const { deps } = openDriver()
    const services = { ...deps.services, stepWriter: makeStepWriter(model) }
    const { stepWriter } = watchServices(services, () => undefined)
    const writer = paidStepWriter({ ...deps, quotas: quotasOf({ ai }) }, { id, userId, orgId: null }, stepWriter)
    return { writer, ask, readPaid: async () => Number(await sumOf('user_id', userId, 'ai')) / UNITS.ai }
  }

  /** What a section costs whose first answer can be used. */
  async function costOfSection(letters: number) {
    const { writer, readPaid } = await openPaid([GOOD])
    await writer.writeSteps({ ...window, segments: [spoken(letters)] }, signal)
    return readPaid()
  }

  it('has the repair of an answer, which is not made where it is too much', { tags: 'attack-48' }, async () => {
    const once = await costOfSection(2_000)
    const segments = [spoken(2_000)]
    const repaired = await openPaid(['nonsense', GOOD])
    expect(await repaired.writer.writeSteps({ ...window, segments }, signal)).toHaveLength(1)
    expect(await repaired.readPaid()).toBeGreaterThan(2 * once)
    const busy = await openPaid(['nonsense', new AppError('ai_busy', 'Busy.')])
    await expect(busy.writer.writeSteps({ ...window, segments }, signal)).rejects.toMatchObject({ code: 'ai_busy' })
    expect(await busy.readPaid()).toBe(once)
    const short = await openPaid(['nonsense', GOOD], 2 * once * UNITS.ai)
    await expect(short.writer.writeSteps({ ...window, segments }, signal)).rejects.toMatchObject({ code: 'ai_quota' })
    expect(short.ask).toHaveBeenCalledTimes(1)
    expect(await short.readPaid()).toBe(once)
  })
})

interface RecordOptions {
  orgId?: string
  purpose?: 'question' | 'answer'
}

describe('the cost of questions', () => {
  const busy = new AppError('ai_busy', 'Busy.')

  /** Asks the tutor about a planted module; its model fails with this error. */
  async function ask(userId: string, { quotas, failure }: { quotas: Quotas; failure: AppError }) {
    const { moduleId } = await seedTutored({ userId })
    const { db } = openDriver().deps
    const module = await findModule(db, moduleId)
    if (module === null) throw new Error('There is no module.')
    const turn = readTurn({ userMessage: WRENCH }, { module, userId: someone(), role: 'viewer', nowMs: Date.now() })
    const sentences = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) }
    const answer = vi.fn((_task: TutorTask): AsyncIterable<TutorSentence> => sentences)
    const model = { name: 'fake', answer, judge: async () => new Set<number>() }
    const listener = { publish: async () => undefined, untilHalted: () => new Promise<never>(() => undefined) }
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const context = { ...openDriver({ tutorModel: model }).deps, quotas, modelAnswersPerDay: 9 }
    const { meta } = await answerTurn(context, turn, listener)
    warn.mockRestore()
    expect(meta).toMatchObject({ isCovered: true })
    return { moduleId, answer }
  }

  const record = (as: string, moduleId: string, { purpose = 'question', ...options }: RecordOptions = {}) =>
    call(`/api/qa/transcribe?moduleId=${moduleId}&purpose=${purpose}`, {
      ...options,
      as,
      method: 'POST',
      body: makeChunk('audio/ogg', [10]).audio,
      headers: { 'content-type': 'audio/ogg' },
    })

  it('is at most half of the sum, so that a new video is still transcribed', async () => {
    const userId = someone()
    const { id } = await seedModule({ userId })
    const quotas = quotasOf({ ai: 2_000 })
    await pay(env.DB, { moduleId: id, day: dayOf(Date.now()), amount: 1_000 }, quotas)
    const { moduleId, answer } = await ask(userId, { quotas, failure: busy })
    expect(answer).not.toHaveBeenCalled()
    configure({ USER_AI_USD_PER_DAY: '0.002' })
    expect((await record(someone(), moduleId)).status).toBe(429)
    const driver = openDriver()
    driver.deps.quotas = quotas
    const run = await seedRun(MINUTE / 2, { userId })
    await driver.drain()
    expect(await findModule(driver.deps.db, run.moduleId)).toMatchObject({ status: 'READY' })
    expect(await sumOf('user_id', userId, 'ai')).toBeGreaterThan(1_000)
  })

  it('is not that of an answer which the trainer dictates, and takes no question from anybody', async () => {
    const userId = someone()
    const { moduleId } = await seedTutored({ userId })
    await pay(env.DB, { moduleId, day: dayOf(Date.now()), amount: 1_000 }, quotasOf({ ai: 2_000 }))
    configure({ USER_AI_USD_PER_DAY: '0.002' })
    expect((await record(userId, moduleId)).status).toBe(429)
    const asked = await sumOf('user_id', userId, 'questions')
    expect((await record(userId, moduleId, { purpose: 'answer' })).status).not.toBe(429)
    expect(await sumOf('user_id', userId, 'questions')).toBe(asked)
    expect((await record(someone(), moduleId, { purpose: 'answer' })).status).toBe(404)
    configure({ USER_AI_USD_PER_DAY: '0.001' })
    expect((await record(userId, moduleId, { purpose: 'answer' })).status).toBe(429)
  })

  it('names the holder of the limit as the person who asks sees it', async () => {
    const [userId, orgId] = [someone(), `org_${nanoid(8)}`]
    const { id } = await seedModule({ userId, orgId })
    const holderFor = async (as: string, options = {}) =>
      QuotaReached.parse(await (await record(as, id, options)).json()).quota.of
    configure({ ORG_AI_USD_PER_DAY: '0' })
    expect(await holderFor(someone(), { orgId })).toBe('organization')
    expect(await holderFor(userId)).toBe('organization')
    expect(await holderFor(someone())).toBe('owner')
    configure({ ORG_AI_USD_PER_DAY: '', USER_AI_USD_PER_DAY: '0' })
    expect(await holderFor(userId)).toBe('user')
    expect(await holderFor(someone(), { orgId })).toBe('owner')
    const { error } = QuotaReached.parse(await (await record(someone(), id)).json())
    expect(error).toMatch(/^The owner of this video has reached its limit of \$0 for AI per day\./)
  })

  it('leaves out the call that judges an answer where it is too much', { tags: 'attack-48' }, async () => {
    const userId = someone()
    const { id: moduleId } = await seedModule({ userId })
    const messages = [{ role: 'user' as const, content: 'What do I click? '.repeat(500) }]
    const answered = Math.ceil(usdOfCall({ messages, maxTokens: ANSWER_MAX_TOKENS }) * UNITS.ai)
    const ask = vi.fn()
    const { tutorModel } = languageServices({ name: 'fake', ask, stream: () => Promise.reject(busy) })
    // Half of a quota is for questions.
    const context = { d1: env.DB, quotas: quotasOf({ ai: 2 * answered }), nowMs: Date.now }
    const paid = await payForAnswer(context, { moduleId, messages, maxTokens: ANSWER_MAX_TOKENS }, tutorModel)
    // Takes what was booked ahead.
    await expect(paid?.answer({ moduleId, messages }, signal)[Symbol.asyncIterator]().next()).rejects.toBe(busy)
    await payForAnswer(context, { moduleId, messages, maxTokens: ANSWER_MAX_TOKENS }, tutorModel)
    await expect(paid?.judge({ moduleId, messages }, signal)).rejects.toMatchObject({ code: 'ai_quota' })
    expect(ask).not.toHaveBeenCalled()
    expect(await sumOf('user_id', userId, 'ai')).toBe(answered)
  })

  it('is nothing where a model was busy or is not there, and stays where it broke', async () => {
    const userId = someone()
    const quotas = quotasOf({ ai: UNITS.ai })
    const { moduleId, answer } = await ask(userId, { quotas, failure: busy })
    expect(answer).toHaveBeenCalledOnce()
    expect(await sumOf('user_id', userId, 'ai')).toBe(0)
    configure({ USER_AI_USD_PER_DAY: '1' })
    expect((await record(someone(), moduleId)).status).toBe(501)
    expect(await sumOf('user_id', userId, 'ai')).toBe(0)
    const broken = await ask(userId, { quotas, failure: new AppError('ai_failed', 'Broke off.') })
    const [task] = broken.answer.mock.calls[0] ?? []
    const usd = task ? usdOfCall({ ...task, maxTokens: ANSWER_MAX_TOKENS }) : 0
    expect(await sumOf('user_id', userId, 'ai')).toBe(Math.ceil(usd * UNITS.ai))
  })
})

describe('a video that is processed again', () => {
  it.each([
    ['minutes', { USER_MINUTES_PER_DAY: '0.1' }, 0.1],
    ['ai', { USER_AI_USD_PER_DAY: '0.0001' }, 0.0001],
  ])('is refused where its %s are too much for today, and stays as it is', async (kind, vars, limit) => {
    const driver = openDriver()
    const as = someone()
    const { moduleId } = await seedRun(MINUTE / 2, { userId: as })
    await driver.drain()
    const before = await findModule(driver.deps.db, moduleId)
    const steps = await answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as })
    expect(before).toMatchObject({ status: 'READY', language: 'en' })
    const used = await sumOf('user_id', as, kind)
    configure(vars)
    const json = { from: 'start' }
    expect(await quotaOf({ as, json }, `/api/reprocess/${moduleId}`)).toMatchObject({ kind, of: 'user', limit })
    expect(await findModule(driver.deps.db, moduleId)).toEqual(before)
    expect(await answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as })).toEqual(steps)
    expect(await sumOf('user_id', as, kind)).toBe(used)
  })

  it.each([
    ['are added', (deps: Deps, module: ModuleRow) => addCaptions(deps, module, new TextEncoder().encode(CAPTIONS))],
    ['are read again', (deps: Deps, module: ModuleRow) => reprocessModule(deps, module, { from: 'start' })],
  ])('continues without a minute of today when captions %s, because no audio is transcribed', async (_how, begin) => {
    const driver = openDriver()
    const { deps } = driver
    const userId = someone()
    const { moduleId } = await seedRun(MINUTE / 2, { userId })
    await driver.drain()
    const ready = await findModule(deps.db, moduleId)
    if (ready?.status !== 'READY') throw new Error('The module is not READY.')
    deps.quotas = quotasOf({ minutes: MINUTE / 10 })
    await addCaptions(deps, ready, new TextEncoder().encode(CAPTIONS))
    await driver.drain()
    const captioned = await findModule(deps.db, moduleId)
    if (captioned === null) throw new Error('There is no module.')
    await begin(deps, captioned)
    await driver.drain()
    const after = await findModule(deps.db, moduleId)
    expect(after).toMatchObject({ status: 'READY', run: 3, transcriptRun: 0, lastError: null })
    expect(await sumOf('user_id', userId, 'minutes')).toBe(0)
  })
})

describe('makeQuotas', () => {
  it.each([
    ['', null],
    ['0', 0],
    ['2.5', 2.5],
  ])('takes %o as %o', (text, limit) => {
    const minutes = limit === null ? null : limit * MINUTE
    expect(makeQuotas({ ...env, USER_MINUTES_PER_DAY: text } as Env).user.minutes).toBe(minutes)
  })

  it.each(['many', '-1', 'NaN'])('refuses %s, which would mean no limit at all', (text) => {
    expect(() => makeQuotas({ ...env, ORG_AI_USD_PER_DAY: text } as Env).organization).toThrow('is not a number')
  })
})
