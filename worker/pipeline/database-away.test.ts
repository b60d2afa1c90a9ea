import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { localServices } from '#local/local-services.ts'
import { plantModule } from '#local/testing/modules.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { type Fault, faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { findRun, type RunId } from '#worker/domain/run/run-store.ts'
import { watchModule } from '#worker/domain/run/watch-run.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { consume } from './consume.ts'
import type { Job } from './job.ts'
import { runJobs } from './run-jobs.ts'
import { type Driver, fakeSpeech, openDriver, plantRun } from './testing/drive.ts'

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
function once(part: string, fault: Fault): (queries: string[]) => Fault | null {
  let isOver = false
  return (queries) => {
    if (isOver || !queries.some((query) => query.includes(part))) return null
    isOver = true
    return fault
  }
}

/** Does what a run needs, one message after the other, until something is to be tried again. */
async function drainUntilRetry(driver: Driver, id: RunId): Promise<Job | null> {
  driver.sent.push({ kind: 'ingest', ...id })
  for (let job = driver.sent.shift(); job !== undefined; job = driver.sent.shift()) {
    if ((await driver.deliver([job])).retried > 0) return job
  }
  return null
}

async function outcomeOf({ moduleId }: RunId) {
  const steps = await listSteps(DB, moduleId)
  return steps.map((step) => [step.id, step.position, step.title, step.startMs, step.endMs])
}

/** The words with which the last statement of a commit begins. */
const COMMIT = "UPDATE modules SET status = 'READY'"

describe('case 35: the connection to the database is lost while a run commits', () => {
  it.each(['done', 'not done'] as const)('ends once, with the same steps, when the commit was %s', async (fault) => {
    const plain = openDriver()
    const whole = await plantRun(MINUTE, { userId: 'user_plain' })
    expect(await drainUntilRetry(plain, whole)).toBeNull()

    const as = `user_${crypto.randomUUID()}`
    const id = await plantRun(MINUTE, { userId: as })
    const speech = fakeSpeech()
    const driver = openFaulty(once(COMMIT, fault), { speech })
    const job = await drainUntilRetry(driver, id)
    expect(job?.kind).toBe('steps')
    const calls = speech.calls.length
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: fault === 'done' ? 'READY' : 'PROCESSING' })

    const told: string[] = []
    driver.deps.rooms = hearing(told)
    expect(await driver.deliver([job])).toEqual({ acked: 1, retried: 0 })
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY', progress: 100 })
    expect(await findRun(DB, id)).toMatchObject({ outcome: 'ready' })
    expect(await outcomeOf(id)).toEqual(await outcomeOf(whole))
    expect(speech.calls).toHaveLength(calls)
    expect(told.at(-1)).toBe('READY')
    expect((await env.MEDIA.list({ prefix: `parts/${id.moduleId}/` })).objects).toEqual([])
  })

  it('gives the next video its turn although the first answer was lost', async () => {
    const userId = `user_${crypto.randomUUID()}`
    const id = await plantRun(MINUTE, { userId })
    const waiting = await plantRun(MINUTE, { userId })
    await env.DB.prepare('UPDATE runs SET admitted_at = NULL WHERE module_id = ?').bind(waiting.moduleId).run()
    const driver = openFaulty(once(COMMIT, 'done'))
    const job = await drainUntilRetry(driver, id)
    expect((await findRun(DB, waiting))?.admittedAt).toBeNull()
    await driver.deliver([job])
    expect((await findRun(DB, waiting))?.admittedAt).not.toBeNull()
  })

  it.each([
    ['what was heard', 'heard_count'],
    ['a stretch', 'formed_stretches = ?3 + 1'],
    ['what was written', 'written_stretches'],
    ['what is shown', 'INSERT INTO steps'],
    ['the place of the cursor', 'cursor_ms'],
  ])('loses and doubles nothing when %s was stored and the answer lost', async (_what, part) => {
    const whole = await plantRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    expect(await drainUntilRetry(openDriver(), whole)).toBeNull()
    for (const fault of ['done', 'not done'] as const) {
      const id = await plantRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
      const driver = openFaulty(once(part, fault))
      const job = await drainUntilRetry(driver, id)
      expect(job, part).not.toBeNull()
      // As long as the retry waits; what nobody asks for any more is found by the watchdog.
      driver.deps.nowMs = () => Date.now() + 2 * MINUTE
      await driver.deliver([job])
      await driver.drain()
      await watchModule({ ...driver.deps, nowMs: () => Date.now() + 4 * MINUTE }, id.moduleId)
      await driver.drain()
      expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
      expect(await outcomeOf(id)).toEqual(await outcomeOf(whole))
    }
  })
})

/** A room that only listens. */
function hearing(told: string[]): Env['MODULE_ROOM'] {
  const publish = async ({ status }: { status: string }) => void told.push(status)
  return { idFromName: () => null, get: () => ({ publish }) } as unknown as Env['MODULE_ROOM']
}

/** What `wrangler.toml` allows a message of the queue with the fewest tries. */
const MAX_RETRIES = 5

describe('case 36: the database is away for two minutes', () => {
  it('every call is answered with 503 and when to come back, and works again afterwards', async () => {
    const { id } = await plantModule({ status: 'READY' })
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

  it.each(['ingest', 'speech', 'steps'] as const)('a message for %s has tries left when it is back', async (kind) => {
    const id = await plantRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    const driver = openFaulty(() => 'not done')
    const job = { kind, ...id, part: 0, stretch: 0 } as Job
    let awayS = 0
    for (let attempt = 1; attempt <= MAX_RETRIES; attempt++) {
      const [outcome] = await runJobs([{ job, attempt }], driver.deps)
      awayS += outcome?.retryAfterS ?? 0
    }
    expect(awayS).toBeGreaterThanOrEqual(120)
  })

  it('a whole delivery comes back late enough when not even its sizes can be read', async () => {
    const id = await plantRun(MINUTE)
    const delays: number[] = []
    const retry = ({ delaySeconds }: { delaySeconds: number }) => void delays.push(delaySeconds)
    const messages = [0, 1].map((part) => ({ body: { kind: 'speech', ...id, part }, attempts: 1, retry }))
    const { queues, nowMs } = openDriver().deps
    const d1 = faultyD1(env.DB, () => 'not done')
    const delivery = { d1, queues, nowMs, runJobs: async () => [], inFlight: 60, findReady: async () => [] }
    await consume({ messages } as unknown as MessageBatch<unknown>, delivery)
    expect(delays).toHaveLength(2)
    for (const delayS of delays) expect(delayS * MAX_RETRIES).toBeGreaterThanOrEqual(120)
  })

  it('the run goes on where it stood when its messages are delivered again', async () => {
    const id = await plantRun(2 * MINUTE, { userId: `user_${crypto.randomUUID()}` })
    let isAway = false
    const speech = fakeSpeech()
    const driver = openFaulty(() => (isAway ? 'not done' : null), { speech })
    await driver.deliver([{ kind: 'ingest', ...id }])
    isAway = true
    const jobs = driver.sent.splice(0)
    expect(await driver.deliver(jobs)).toEqual({ acked: 0, retried: jobs.length })
    isAway = false
    await driver.deliver(jobs)
    await driver.drain()
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
    expect(speech.calls).toHaveLength((await findRun(DB, id))?.partCount ?? 0)
  })

  it('the watchdog asks again for what was lost, once it can read the database', async () => {
    const id = await plantRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    let isAway = true
    const driver = openFaulty(() => (isAway ? 'not done' : null))
    const later = { ...driver.deps, nowMs: () => Date.now() + 2 * MINUTE }
    await expect(watchModule(later, id.moduleId)).rejects.toMatchObject({ message: expect.anything() })
    isAway = false
    expect(await watchModule(later, id.moduleId)).toBe(true)
    await driver.drain()
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'READY' })
  })
})
