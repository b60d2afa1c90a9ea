// Behaviour: making a module again: by its owner, twice, and after a break.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { beforeAll, describe, expect, it } from 'vitest'
import { ReprocessAnswer, type ReprocessRequest } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { MAX_RUNS_PER_OWNER } from '#worker/domain/run/start-run.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import {
  type Driver,
  type FakeSpeech,
  fakeSpeech,
  openDriver,
  seedRun,
  transcribedIn,
} from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'
import type { SpeechChunk } from '#worker/ports/speech-to-text.ts'

holdTasks()

const MINUTE = 60_000

/** An owner whose videos at work keep every further run waiting, so that only the test does its jobs. */
const as = `user_${nanoid(8)}`
const DB = openDb(env.DB)

beforeAll(async () => {
  for (let n = 0; n < MAX_RUNS_PER_OWNER; n++) await seedRun(1_000, { userId: as })
})

/** Asks over HTTP and answers which run does it. */
async function reprocess(moduleId: string, json?: ReprocessRequest): Promise<RunId> {
  const body = json === undefined ? { method: 'POST' } : { json }
  const { run } = await answerOf(ReprocessAnswer, `/api/reprocess/${moduleId}`, { as, ...body })
  return { moduleId, run }
}

/** Gives a run its turn beside the others of its owner. */
async function admit({ moduleId, run }: RunId): Promise<void> {
  await env.DB.prepare('UPDATE runs SET admitted_at = 1 WHERE module_id = ? AND run = ?').bind(moduleId, run).run()
}

/** Does all that a run still has to do, one task after the other. */
async function finish(driver: Driver, id: RunId): Promise<ModuleRow | null> {
  await admit(id)
  const listOwn = async () => (await driver.listReady()).filter(({ moduleId }) => moduleId === id.moduleId)
  for (let [task] = await listOwn(); task !== undefined; [task] = await listOwn()) await driver.deliver([task])
  return findModule(DB, id.moduleId)
}

/** A recogniser that answers so many parts and then says that the allowance is used up. */
function shortAllowance(parts: number): FakeSpeech {
  return fakeSpeech((part, calls) => {
    if (calls > parts) throw new AppError('ai_quota', 'The daily allowance is used up.')
    return transcribedIn(part)
  })
}

/** A recogniser does not get the start of a chunk in the video; its length and place in the order identify it. */
function lengthsOf(calls: SpeechChunk[]): number[] {
  return calls.map((part) => part.durationMs)
}

async function ready(): Promise<RunId> {
  const id = await seedRun(3 * MINUTE, { userId: as })
  expect(await finish(openDriver(), id)).toMatchObject({ status: 'READY' })
  return id
}

function stepsOf({ moduleId }: RunId): Promise<StepsAnswer> {
  return answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as })
}

async function textsOf(id: RunId): Promise<unknown[]> {
  return (await stepsOf(id)).steps.map(({ title, start, end, originalText }) => [title, start, end, originalText])
}

describe('POST /api/reprocess/{id}', () => {
  it('begins a new run without a body, and says which', { tags: 'spec-7.17' }, async () => {
    const { id } = await seedModule({ userId: as, status: 'FAILED', failureCode: 'gave_up', lastError: 'Gave up' })
    expect(await reprocess(id)).toEqual({ moduleId: id, run: 2 })
    const module = await findModule(DB, id)
    expect(module).toMatchObject({ status: 'PROCESSING', run: 2, progress: 10, failureCode: null, lastError: null })
  })

  it('takes a body that is empty, and one with everything in it', async () => {
    const { id } = await seedModule({ userId: as, status: 'FAILED' })
    const headers = { 'content-type': 'application/json' }
    const empty = { as, method: 'POST', headers }
    expect(await answerOf(ReprocessAnswer, `/api/reprocess/${id}`, empty)).toMatchObject({ run: 2 })
    expect((await reprocess(id, { from: 'start' })).run).toBe(3)
  })

  it.each([
    ['no JSON', { body: '{', headers: { 'content-type': 'application/json' } }, 'invalid_json'],
    ['another type', { body: 'from=start' }, 'unsupported_media_type'],
    ['another beginning', { json: { from: 'middle' } }, 'invalid_request'],
    ['settings, which are the module’s own', { json: { from: 'start', language: 'de' } }, 'invalid_request'],
    ['an unknown field', { json: { form: 'start' } }, 'invalid_request'],
    ['a body above 1 MB', { json: { from: 'x'.repeat(1024 * 1024) } }, 'payload_too_large'],
  ])('refuses %s and begins nothing', async (_what, body, code) => {
    const { id } = await seedModule({ userId: as, status: 'FAILED' })
    expect((await problemOf(`/api/reprocess/${id}`, { as, method: 'POST', ...body })).code).toBe(code)
    expect(await findModule(DB, id)).toMatchObject({ status: 'FAILED', run: 1 })
  })

  it('answers for a foreign, a deleted, a malformed and an unknown module with the same body', async () => {
    const foreign = await seedModule({ status: 'READY' })
    const deleted = await seedModule({ userId: as, status: 'READY', deletedAt: 5 })
    const [missing, ...others] = await Promise.all(
      ['x'.repeat(22), foreign.id, deleted.id, 'nonsense'].map(async (id) => {
        const problem = await problemOf(`/api/reprocess/${id}`, { as, method: 'POST' })
        return { ...problem, requestId: '' }
      }),
    )
    expect(missing?.code).toBe('not_found')
    for (const other of others) expect(other).toEqual(missing)
    expect(await findModule(DB, foreign.id)).toMatchObject({ status: 'READY', run: 1 })
    expect(await findRun(DB, { moduleId: deleted.id, run: 2 })).toBeNull()
  })

  it('refuses a visitor, and before the video has arrived', async () => {
    const { id } = await seedModule({ userId: as, sourceEtag: null, receivedAt: null, run: 0 })
    expect((await problemOf(`/api/reprocess/${id}`, { method: 'POST' })).code).toBe('unauthenticated')
    expect(await problemOf(`/api/reprocess/${id}`, { as, method: 'POST' })).toMatchObject({
      code: 'upload_missing',
      status: 409,
    })
    expect((await findModule(DB, id))?.run).toBe(0)
  })
})

describe('the same request again', { tags: 'fault-19' }, () => {
  it('is one run when five come at once', async () => {
    const { id } = await seedModule({ userId: as, status: 'READY' })
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => reprocess(id, { from: 'start' })))
    expect(answers.map(({ run }) => run)).toEqual([2, 2, 2, 2, 2])
    expect((await findModule(DB, id))?.run).toBe(2)
  })

  it('is the same run while it is at work, and a new one once it has ended', async () => {
    const { id } = await seedModule({ userId: as, status: 'FAILED' })
    const first = await reprocess(id)
    expect(await reprocess(id)).toEqual(first)
    expect(await reprocess(id, { from: 'failed' })).toEqual(first)
    await env.DB.prepare("UPDATE modules SET status = 'FAILED', run_status = 'FAILED' WHERE id = ?").bind(id).run()
    expect((await reprocess(id)).run).toBe(first.run + 1)
  })

  it('is a new run when something else is asked for, and the older one can commit nothing any more', async () => {
    const id = await seedRun(MINUTE, { userId: as })
    const first = await reprocess(id.moduleId)
    await admit(first)
    const older = openDriver()
    await older.deliver([{ kind: 'ingest', ...first }])
    const ready = await older.listReady()
    const second = await reprocess(id.moduleId, { from: 'start' })
    expect(second.run).toBe(first.run + 1)
    expect(await older.deliver(ready)).toMatchObject({ done: 0 })
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'PROCESSING', run: second.run })
    expect(await findRun(DB, first)).toMatchObject({ outcome: 'superseded' })
    expect(await finish(openDriver(), second)).toMatchObject({ status: 'READY', run: second.run })
  })

  it('refuses the late commit of an upload that is fenced when all of its sections are written', async () => {
    const id = await seedRun(MINUTE, { userId: as })
    let fenced: RunId | null = null
    const stepWriter = {
      name: 'fenced',
      writeSteps: async (...call: Parameters<typeof extractiveStepWriter.writeSteps>) => {
        fenced ??= await reprocess(id.moduleId, { from: 'start' })
        return extractiveStepWriter.writeSteps(...call)
      },
    }
    expect(await finish(openDriver({ stepWriter }), id)).toMatchObject({ status: 'PROCESSING', run: 2 })
    expect((await problemOf(`/api/steps/${id.moduleId}`, { as })).code).toBe('steps_not_ready')
    expect(await finish(openDriver(), { ...id, run: 2 })).toMatchObject({ status: 'READY' })
    expect((await stepsOf(id)).steps.every((step) => step.id.startsWith('r2-'))).toBe(true)
  })
})

describe('a run that goes on where the last one broke off', () => {
  it.each(['ai_quota', 'gave_up'])(
    'transcribes no chunk again that was transcribed, after %s',
    { tags: 'fault-22' },
    async (failureCode) => {
      const plain = fakeSpeech()
      const whole = await seedRun(3 * MINUTE, { userId: as })
      await finish(openDriver({ speech: plain }), whole)

      const id = await seedRun(3 * MINUTE, { userId: as })
      expect(await finish(openDriver({ speech: shortAllowance(3) }), id)).toMatchObject({ failureCode: 'ai_quota' })
      await env.DB.prepare('UPDATE modules SET failure_code = ? WHERE id = ?').bind(failureCode, id.moduleId).run()
      const rest = fakeSpeech()
      const next = await reprocess(id.moduleId, { from: 'failed' })
      expect(await finish(openDriver({ speech: rest }), next)).toMatchObject({ status: 'READY', progress: 100 })
      expect(lengthsOf(rest.calls)).toEqual(lengthsOf(plain.calls).slice(3))
      expect(await textsOf(id)).toEqual(await textsOf(whole))
    },
  )

  it('goes on again after a second failure', async () => {
    const id = await seedRun(3 * MINUTE, { userId: as })
    await finish(openDriver({ speech: shortAllowance(2) }), id)
    const second = await reprocess(id.moduleId)
    expect(await finish(openDriver({ speech: shortAllowance(2) }), second)).toMatchObject({ status: 'FAILED' })
    const rest = fakeSpeech()
    const third = await reprocess(id.moduleId)
    expect(await finish(openDriver({ speech: rest }), third)).toMatchObject({ status: 'READY' })
    const { chunkCount } = (await findRun(DB, third)) ?? {}
    expect(rest.calls).toHaveLength((chunkCount ?? 0) - 4)
  })

  it.each([
    ['the speech was not understood', 'not_understood', {}],
    ['there seemed to be no speech', 'no_narration', {}],
    ['the request says to begin at the start', 'ai_quota', { from: 'start' }],
  ] as const)('transcribes everything again when %s', async (_what, failureCode, request) => {
    const id = await seedRun(3 * MINUTE, { userId: as })
    await finish(openDriver({ speech: shortAllowance(3) }), id)
    await env.DB.prepare('UPDATE modules SET failure_code = ? WHERE id = ?').bind(failureCode, id.moduleId).run()
    const speech = fakeSpeech()
    const next = await reprocess(id.moduleId, request)
    expect(await finish(openDriver({ speech }), next)).toMatchObject({ status: 'READY' })
    expect(speech.calls).toHaveLength((await findRun(DB, next))?.chunkCount ?? 0)
  })
})

describe('settings that were changed before', () => {
  it('gives the recogniser the language without its region and the glossary, and the model both', async () => {
    const id = await seedRun(MINUTE, { userId: as })
    const json = { language: 'pt-BR', glossary: 'tupia' }
    expect((await call(`/api/modules/${id.moduleId}`, { as, method: 'PATCH', json })).status).toBe(200)
    const windows: StepWindow[] = []
    const speech = fakeSpeech()
    const stepWriter = {
      name: 'listening',
      writeSteps: (...call: Parameters<typeof extractiveStepWriter.writeSteps>) => {
        windows.push(call[0])
        return extractiveStepWriter.writeSteps(...call)
      },
    }
    await finish(openDriver({ speech, stepWriter }), await reprocess(id.moduleId, { from: 'start' }))
    expect(speech.calls.length).toBeGreaterThan(0)
    for (const part of speech.calls) expect(part).toMatchObject({ language: 'pt', prompt: 'tupia' })
    expect(windows.length).toBeGreaterThan(0)
    for (const window of windows) expect(window).toMatchObject(json)
  })
})

describe('a module that is READY and processed again', () => {
  it('shows its steps and transcript until the new ones are committed, on the shared page too', async () => {
    const id = await ready()
    const before = await stepsOf(id)
    const transcript = await answerOf(TranscriptAnswer, `/api/transcript/${id.moduleId}`, { as })
    const shared = await answerOf(ShareAnswer, `/api/share/${id.moduleId}`)
    const next = await reprocess(id.moduleId, { from: 'start' })
    await admit(next)
    const driver = openDriver()
    for (let ready = await driver.listReady(); ready.length > 1 || ready[0]?.kind !== 'write_steps'; ) {
      await driver.deliver(ready.slice(0, 1))
      ready = await driver.listReady()
      const now = await stepsOf(id)
      expect(now.steps).toEqual(before.steps)
      expect(now.transcript).toBe(before.transcript)
    }
    expect(await answerOf(TranscriptAnswer, `/api/transcript/${id.moduleId}`, { as })).toEqual(transcript)
    const now = await answerOf(ShareAnswer, `/api/share/${id.moduleId}`)
    expect(now).toEqual(shared)
    await driver.drain()
    const after = await stepsOf(id)
    expect(after.steps.length).toBeGreaterThan(0)
    expect(after.steps.every((step) => step.id.startsWith('r2-'))).toBe(true)
    const { proposals } = await answerOf(ProposalsAnswer, `/api/steps/${id.moduleId}/proposals`, { as })
    expect(proposals).toEqual([])
  })

  it.each([
    ['changed', (steps: StepsAnswer['steps']) => steps.map((step, n) => (n === 0 ? { ...step, title: 'Mine' } : step))],
    ['added', (steps: StepsAnswer['steps']) => [...steps, { title: 'Mine', start: 1, end: 9, isManual: true }]],
  ])(
    'keeps its steps when a person has %s one, and offers the new ones beside',
    { tags: 'guarantee-G5' },
    async (_what, edit) => {
      const id = await ready()
      const json = { steps: edit((await stepsOf(id)).steps) }
      const before = await answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as, json })
      const next = await reprocess(id.moduleId)
      const speech = fakeSpeech((chunk) => {
        const { words, ...rest } = transcribedIn(chunk)
        return { ...rest, words: words.map((word) => (word.text === 'blue' ? { ...word, text: 'green' } : word)) }
      })
      expect(await finish(openDriver({ speech }), next)).toMatchObject({ status: 'READY' })
      expect((await stepsOf(id)).steps).toEqual(before.steps)
      const { proposals } = await answerOf(ProposalsAnswer, `/api/steps/${id.moduleId}/proposals`, { as })
      expect(proposals.length).toBeGreaterThan(0)
      expect(proposals.every((step) => step.id.startsWith('r2-'))).toBe(true)
    },
  )

  it('keeps its steps when the new run fails', async () => {
    const id = await ready()
    const before = await stepsOf(id)
    const next = await reprocess(id.moduleId)
    expect(await finish(openDriver({ speech: shortAllowance(0) }), next)).toMatchObject({
      status: 'READY',
      runStatus: 'FAILED',
    })
    expect((await stepsOf(id)).steps).toEqual(before.steps)
  })

  it('can be processed again as soon as it is READY, while the run before is being cleared away', async () => {
    const id = await seedRun(MINUTE, { userId: as })
    const next = openDriver()
    const driver = openDriver()
    let begun: RunId | null = null
    const rooms = {
      idFromName: (name: string) => env.MODULE_ROOM.idFromName(name),
      get: () => ({
        publish: async ({ status }: { status: string }) => {
          if (status !== 'READY') return
          begun = await reprocess(id.moduleId)
          await next.deliver([{ kind: 'ingest', ...begun }])
        },
      }),
    } as unknown as Env['MODULE_ROOM']
    driver.deps.rooms = rooms
    await finish(driver, id)
    expect(begun).toEqual({ ...id, run: 2 })
    expect(await finish(next, { ...id, run: 2 })).toMatchObject({ status: 'READY', run: 2 })
    expect((await env.MEDIA.list({ prefix: `chunks/${id.moduleId}/` })).objects).toEqual([])
  })
})

describe('a module that is deleted', () => {
  it('begins no run when it was deleted after the caller had read it', { tags: 'fault-18' }, async () => {
    const { id } = await seedModule({ userId: as, status: 'READY' })
    const before = await findModule(DB, id)
    if (before === null) throw new Error('no module')
    expect((await call(`/api/modules/${id}`, { as, method: 'DELETE' })).status).toBe(200)
    const driver = openDriver()
    await expect(reprocessModule(driver.deps, before, {})).rejects.toMatchObject({ code: 'not_found' })
    expect(await driver.listReady()).toEqual([])
  })

  it('stops a run that was begun before', async () => {
    const id = await seedRun(MINUTE, { userId: as })
    const next = await reprocess(id.moduleId)
    expect((await call(`/api/modules/${id.moduleId}`, { as, method: 'DELETE' })).status).toBe(200)
    const speech = fakeSpeech()
    expect(await finish(openDriver({ speech }), next)).toBeNull()
    expect(speech.calls).toEqual([])
  })
})
