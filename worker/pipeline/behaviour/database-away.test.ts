// Behaviour: the database is away while a run works or commits.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { localServices } from '#local/local-services.ts'
import { seedModule } from '#local/testing/modules.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { type ChatRequest, makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { type Fault, faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { listRuns } from '#worker/domain/debug/debug-store.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { drain } from '#worker/tasks/drain.ts'
import { MAX_ATTEMPTS } from '#worker/tasks/retry.ts'
import { recover } from '../recover.ts'
import { TASK_HANDLERS } from '../task-handlers.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, type TaskName } from '../testing/drive.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000
const DB = openDb(env.DB)

/** A driver whose jobs reach the database through a connection that may break. */
function openFaulty(faultOf: (queries: string[]) => Fault | null, services = {}): Driver {
  const driver = openDriver(services)
  driver.deps.d1 = faultyD1(env.DB, faultOf)
  driver.deps.db = openDb(driver.deps.d1)
  return driver
}

/** Breaks the first call that holds such a statement. */
function once(chunk: string, fault: Fault): (queries: string[]) => Fault | null {
  let isOver = false
  return (queries) => {
    if (isOver || !queries.some((query) => query.includes(chunk))) return null
    isOver = true
    return fault
  }
}

/** Does what a run needs, one task after the other, until one fails. @returns its name; null when none has failed */
async function drainUntilFault(driver: Driver, id: RunId, isOver = () => false): Promise<TaskName | null> {
  for (let ready = await driver.listReady(); ready.length > 0; ready = await driver.listReady()) {
    const [task] = ready.filter(({ moduleId }) => moduleId === id.moduleId)
    if (task === undefined) return null
    if ((await driver.deliver([task])).retried > 0 || isOver()) return task
  }
  return null
}

/** As the watchdog does after a while, with all that is due by then. */
async function recoverLater(driver: Driver, { moduleId }: RunId): Promise<void> {
  const offsetMs = driver.deps.nowMs() - Date.now() + 2 * MINUTE
  driver.deps.nowMs = () => Date.now() + offsetMs
  await recover(driver.deps, moduleId)
  await driver.drain()
  await recover(driver.deps, moduleId)
}

async function outcomeOf({ moduleId }: RunId) {
  const steps = await listSteps(DB, moduleId)
  return steps.map((step) => [step.id, step.position, step.title, step.startMs, step.endMs])
}

/** The words with which the last statement of a commit begins. */
const COMMIT = "UPDATE modules SET status = 'READY'"

describe('the connection to the database is lost while a run commits', { tags: 'fault-35' }, () => {
  it.each(['done', 'not done'] as const)('ends once, with the same steps, when the commit was %s', async (fault) => {
    const plain = openDriver()
    const whole = await seedRun(MINUTE, { userId: 'user_plain' })
    expect(await drainUntilFault(plain, whole)).toBeNull()

    const as = `user_${crypto.randomUUID()}`
    const id = await seedRun(MINUTE, { userId: as })
    const speech = fakeSpeech()
    const driver = openFaulty(once(COMMIT, fault), { speech })
    await drainUntilFault(driver, id)
    const calls = speech.calls.length
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: fault === 'done' ? 'READY' : 'PROCESSING' })

    const published: string[] = []
    driver.deps.rooms = recordingRoom(published)
    await recoverLater(driver, id)
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY', progress: 100 })
    expect(await findRun(DB, id)).toMatchObject({ outcome: 'ready' })
    expect(await outcomeOf(id)).toEqual(await outcomeOf(whole))
    expect(speech.calls).toHaveLength(calls)
    expect(published.at(-1)).toBe('READY')
    expect((await env.MEDIA.list({ prefix: `chunks/${id.moduleId}/` })).objects).toEqual([])
  })

  it('writes no drafts where it was lost before the model was asked', async () => {
    const ask = async ({ messages }: ChatRequest) => {
      const [, last = '1'] = /Divide lines 1 to (\d+)/.exec(messages.at(-1)?.content ?? '') ?? []
      return { steps: [{ first: 1, last: Number(last), title: 'Press the blue button', description: 'Press it.' }] }
    }
    const stepWriter = makeStepWriter({ name: 'fake', ask, stream: () => Promise.reject(new Error('Not streamed.')) })
    const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    const lose = once('INTO quota_uses', 'not done')
    let isTranscribed = false
    const driver = openFaulty((queries) => (isTranscribed ? lose(queries) : null), { stepWriter })
    const listFirst = async () =>
      (await driver.listReady()).filter(({ moduleId, kind }) => moduleId === id.moduleId && kind !== 'write_steps')
    for (let first = await listFirst(); first.length > 0; first = await listFirst()) await driver.deliver(first)
    isTranscribed = true
    expect(await drainUntilFault(driver, id)).toMatchObject({ kind: 'write_steps' })
    await recoverLater(driver, id)
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
    const steps = await listSteps(DB, id.moduleId)
    expect(steps.map(({ isDraft, title }) => [isDraft, title])).toContainEqual([false, 'Press the blue button'])
    expect(steps.filter(({ isDraft }) => isDraft)).toEqual([])
  })

  it('gives the next video its turn although the first answer was lost', async () => {
    const userId = `user_${crypto.randomUUID()}`
    const id = await seedRun(MINUTE, { userId })
    const waiting = await seedRun(MINUTE, { userId })
    await env.DB.prepare('UPDATE runs SET admitted_at = NULL WHERE module_id = ?').bind(waiting.moduleId).run()
    const driver = openFaulty(once(COMMIT, 'done'))
    await drainUntilFault(driver, id)
    expect((await findRun(DB, waiting))?.admittedAt).toBeNull()
    await recoverLater(driver, id)
    expect((await findRun(DB, waiting))?.admittedAt).not.toBeNull()
  })

  it.each([
    ['a transcribed chunk', 'transcribed_count'],
    ['a section', 'formed_sections = ?3 + 1'],
    ['a written section', 'written_sections'],
    ['a list of steps', 'INSERT INTO steps'],
    ['the position of the cursor', 'cursor_ms'],
  ])('loses and doubles nothing when %s was stored and the answer lost', async (_what, chunk) => {
    const whole = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    expect(await drainUntilFault(openDriver(), whole)).toBeNull()
    for (const fault of ['done', 'not done'] as const) {
      const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
      let isBroken = false
      const breaks = once(chunk, fault)
      const driver = openFaulty((queries) => {
        const broken = breaks(queries)
        isBroken ||= broken !== null
        return broken
      })
      await drainUntilFault(driver, id)
      expect(isBroken, chunk).toBe(true)
      await recoverLater(driver, id)
      expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
      expect(await outcomeOf(id)).toEqual(await outcomeOf(whole))
    }
  })
})

/** A room that only records. */
function recordingRoom(published: string[]): Env['MODULE_ROOM'] {
  const publish = async ({ status }: { status: string }) => void published.push(status)
  return { idFromName: () => null, get: () => ({ publish }) } as unknown as Env['MODULE_ROOM']
}

describe('the database is away for two minutes', { tags: 'fault-36' }, () => {
  it('every call is answered with 503 and when to come back, and works again afterwards', async () => {
    const { id } = await seedModule({ status: 'READY' })
    const authorization = `Bearer ${await tokenOf('user_owner')}`
    const post = { method: 'POST', body: '{"steps":[]}' }
    const calls: [string, RequestInit][] = [
      ['/api/modules', {}],
      [`/api/modules/${id}`, {}],
      [`/api/modules/${id}`, { method: 'DELETE' }],
      [`/api/modules/${id}/live-ticket`, { method: 'POST' }],
      [`/api/steps/${id}`, post],
      [`/api/steps/${id}/proposals`, {}],
      [`/api/transcript/${id}`, {}],
      [`/api/share/${id}`, {}],
      [`/api/video-url/${id}`, {}],
      [`/api/reprocess/${id}`, { method: 'POST' }],
      ['/api/upload/complete', { method: 'POST', body: `{"moduleId":"${id}","key":"k"}` }],
    ]
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const away = { ...env, DB: faultyD1(env.DB, () => 'not done') }
    for (const [path, init] of calls) {
      const headers = { authorization, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) }
      const request = new Request(`http://localhost:8787${path}`, { ...init, headers })
      const response = await createWorker(localServices).fetch(request, away, createExecutionContext())
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(Problem.parse(await response.json())).toMatchObject({ code: 'unavailable', success: false })
    }
    warned.mockRestore()
    const request = new Request('http://localhost:8787/api/modules', { headers: { authorization } })
    expect((await createWorker(localServices).fetch(request, env, createExecutionContext())).status).toBe(200)
  })

  it('the run goes on where it stood, and has lost at most one attempt', async () => {
    const id = await seedRun(2 * MINUTE, { userId: `user_${crypto.randomUUID()}` })
    let isAway = false
    const speech = fakeSpeech()
    const driver = openFaulty(() => (isAway ? 'not done' : null), { speech })
    await driver.deliver([{ kind: 'ingest', ...id }])
    const ready = await driver.listReady()
    isAway = true
    expect(await driver.deliver(ready)).toEqual({ done: 0, retried: ready.length })
    const consumer = { ...driver.deps, handlers: TASK_HANDLERS, inFlight: 60, runTasks: async () => {} }
    for (let bell = 0; bell < MAX_ATTEMPTS; bell++) await drain('transcribe', consumer)
    isAway = false
    await recoverLater(driver, id)
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
    expect(speech.calls).toHaveLength((await findRun(DB, id))?.chunkCount ?? 0)
    const [run] = await listRuns(DB, id.moduleId)
    expect(run?.audio.mostTries).toBeGreaterThan(0)
    expect(run?.audio.mostTries).toBeLessThanOrEqual(2)
  })

  it('the watchdog asks again for what was lost, once it can read the database', async () => {
    const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    let isAway = true
    const driver = openFaulty(() => (isAway ? 'not done' : null))
    const later = { ...driver.deps, nowMs: () => Date.now() + 2 * MINUTE }
    await expect(recover(later, id.moduleId)).rejects.toMatchObject({ message: expect.anything() })
    isAway = false
    expect(await recover(later, id.moduleId)).not.toBeNull()
    expect(driver.rung).toContainEqual({ kind: 'ingest' })
    await driver.drain()
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
  })
})
