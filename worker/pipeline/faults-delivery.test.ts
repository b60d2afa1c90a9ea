import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { plantModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { deleteModule } from '#worker/domain/module/delete-module.ts'
import { restoreModule } from '#worker/domain/module/restore-module.ts'
import { MAX_RUNS_PER_OWNER } from '#worker/domain/run/admit-runs.ts'
import { failRun } from '#worker/domain/run/fail-run.ts'
import { listPartsBetween } from '#worker/domain/run/part-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { watchModule } from '#worker/domain/run/watch-run.ts'
import { giveUp } from './give-up.ts'
import { runJobs } from './run-jobs.ts'
import { sweep } from './sweep.ts'
import { type Driver, fakeSpeech, heardIn, openDriver, plantRun } from './testing/drive.ts'
import { moduleOf, outcomeOf, runThrough, soundOf } from './testing/outcome.ts'
import type { Fault } from './testing/wild-queue.ts'
import { openWildRun } from './testing/wild-run.ts'
import { JOBS_PER_INVOCATION } from './work-pool.ts'

const MINUTE = 60_000
/** A speech job claims its part, reads the sound and asks the recogniser; then it commits. Calls count from 0. */
const [ASKED, COMMITTED] = [2, 3]

/** Workers that die are logged; each test here says how many. */
const errors = vi.spyOn(console, 'error')
afterEach(() => void errors.mockClear())

async function rowOf(driver: Driver, moduleId: string) {
  const row = await moduleOf(driver, { moduleId })
  if (row === null) throw new Error('no module')
  return row
}

/** A room that only listens. */
function roomThatHears(told: string[]): Env['MODULE_ROOM'] {
  const publish = async ({ status }: { status: string }) => void told.push(status)
  return { idFromName: () => null, get: () => ({ publish }) } as unknown as Env['MODULE_ROOM']
}

describe('case 15: a worker that dies after the model has answered', () => {
  it.each([
    ['before what was heard is committed', { at: ASKED, isAfter: true, kind: 'killed' }, 1],
    ['after what was heard is committed', { at: COMMITTED, isAfter: true, kind: 'killed' }, 0],
  ] satisfies [string, Fault, number][])('%s costs at most one more call', async (_when, fault, more) => {
    const speech = fakeSpeech()
    const { id, drain, ...queue } = await openWildRun({ speech })
    const parts = queue.waiting.length
    errors.mockImplementation(() => {})
    await queue.deliver(queue.take(0, 1), fault)
    expect(errors).toHaveBeenCalledOnce()
    await drain(200)
    expect(speech.calls).toHaveLength(parts + more)
    const plain = openDriver()
    const other = await plantRun(MINUTE)
    await runThrough(plain, other)
    expect(await outcomeOf(queue, id)).toEqual(await outcomeOf(plain, other))
  })
})

describe('case 16: a poison message', () => {
  it('does not keep the others in its batch from being done', async () => {
    const driver = openDriver()
    const id = await plantRun(MINUTE)
    const result = await driver.deliver(['{bad', { kind: 'ingest', ...id }, { kind: 'v9', ...id }])
    expect(result).toEqual({ acked: 1, retried: 2 })
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })

  it('of a source that was cut by a copy of it ends nothing', async () => {
    const driver = openDriver()
    const id = await plantRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const batch = { queue: 'adapt-dead', messages: [{ id: 'x', body: { kind: 'ingest', ...id }, ack: () => {} }] }
    await giveUp(batch as unknown as MessageBatch<unknown>, driver.deps)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING' })
  })
})

describe('case 17: an invocation that runs out of memory or time', () => {
  const killed: Fault = { at: ASKED, isAfter: false, kind: 'killed' }

  it('is tried again, and nothing has to be missed first', async () => {
    const { id, drain, ...queue } = await openWildRun()
    errors.mockImplementation(() => {})
    await queue.deliver(queue.take(0, JOBS_PER_INVOCATION), killed)
    await drain(200)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'READY', redrives: 0 })
  })

  it('ends the module as FAILED when it happens every time', async () => {
    const { id, ...queue } = await openWildRun()
    errors.mockImplementation(() => {})
    for (let tries = 0; tries < 100 && queue.waiting.length > 0; tries++) {
      await queue.deliver(queue.take(0, JOBS_PER_INVOCATION), killed)
      queue.pass(31_000)
    }
    expect(queue.deadCount()).toBeGreaterThan(0)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('ends the module as FAILED although whoever dies gives signs of life until then', async () => {
    const { id, ...queue } = await openWildRun()
    errors.mockImplementation(() => {})
    for (let look = 0; look < 100 && (await watchModule(queue.deps, id.moduleId)); look++) {
      for (const message of queue.take(0, 10)) await queue.deliver([{ ...message, attempts: 1 }], killed)
      await env.DB.prepare('UPDATE modules SET redrives = 0 WHERE id = ?').bind(id.moduleId).run()
      queue.pass(40_000)
    }
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('hears a part again although letting go of it failed, too', async () => {
    const { id, drain, ...queue } = await openWildRun()
    const [message] = queue.take(0, 1)
    if (message === undefined) throw new Error('nothing to hear')
    await queue.deliver([message], { at: COMMITTED, isAfter: false, kind: 'error', times: 2 })
    await drain(200)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'READY', redrives: 0 })
  })
})

describe('case 18: a module that is deleted while a part is being heard', () => {
  it('does not come back: nothing is written any more, and in the end no sound is left', async () => {
    const told: string[] = []
    const speech = fakeSpeech(async (part) => {
      const owner = { userId: module?.userId ?? '', orgId: null, orgRole: null, orgPermissions: [] }
      await deleteModule(run.deps, owner, run.id.moduleId)
      return heardIn(part)
    })
    const run = await openWildRun({ speech })
    const module = await moduleOf(run, run.id)
    run.deps.rooms = roomThatHears(told)
    await run.drain(50)
    expect(speech.calls).toHaveLength(1)
    expect(await moduleOf(run, run.id)).toBeNull()
    expect(await outcomeOf(run, run.id)).toEqual({ text: [], steps: [] })
    expect(await findRun(run.deps.db, run.id)).toMatchObject({ heardCount: 0, outcome: null })
    expect(told).not.toContain('READY')
    await sweep({ ...openDriver().deps, nowMs: () => Date.now() + 8 * 24 * 60 * MINUTE })
    expect(await soundOf(run.id.moduleId)).toEqual([])
  })

  it('goes on when it is restored, whatever was being done when it was deleted, and ends as if nothing had been', async () => {
    const owner = { userId: 'user_owner', orgId: null, orgRole: null, orgPermissions: [] }
    const plain = openDriver()
    const plainId = await plantRun(MINUTE)
    await runThrough(plain, plainId)
    const expected = await outcomeOf(plain, plainId)
    for (let before = 0; before < 6; before++) {
      const driver = openDriver()
      const id = await plantRun(MINUTE)
      driver.sent.push({ kind: 'ingest', ...id })
      for (let at = 0; at < before; at++) await driver.deliver(driver.sent.splice(0, 1))
      await Promise.all([driver.deliver(driver.sent.splice(0, 1)), deleteModule(driver.deps, owner, id.moduleId)])
      const lost = driver.sent.splice(0)
      await Promise.all([driver.deliver(lost), restoreModule(driver.deps, owner, id.moduleId)])
      await driver.drain()
      // What somebody was at work on is asked for again by the watchdog.
      for (let look = 1; look <= 3; look++) {
        driver.deps.nowMs = () => Date.now() + look * 2 * MINUTE
        await watchModule(driver.deps, id.moduleId)
        await driver.drain()
      }
      expect(await moduleOf(driver, id), `${before} before`).toMatchObject({ status: 'READY', run: 1 })
      expect(await outcomeOf(driver, id)).toEqual(expected)
    }
  })
})

describe('case 20: a backlog of one owner', () => {
  const BACKLOG = 40

  it('keeps nobody else waiting, and nobody in it is given up while he waits for his turn', async () => {
    const driver = openDriver()
    const [many, one] = [`user_${crypto.randomUUID()}`, `user_${crypto.randomUUID()}`]
    const waiting = await Promise.all(Array.from({ length: BACKLOG }, () => plantModule({ userId: many, run: 0 })))
    for (const module of waiting) await startRun(driver.deps, await rowOf(driver, module.id), { trigger: 'upload' })
    expect(driver.sent.splice(0)).toHaveLength(MAX_RUNS_PER_OWNER)

    const other = await plantModule({ userId: one, run: 0 })
    await startRun(driver.deps, await rowOf(driver, other.id), { trigger: 'upload' })
    expect(driver.sent.splice(0)).toMatchObject([{ kind: 'ingest', moduleId: other.id }])

    const last = waiting.at(-1)?.id ?? ''
    for (let hour = 1; hour <= 5; hour++) {
      await watchModule({ ...driver.deps, nowMs: () => Date.now() + hour * 60 * MINUTE }, last)
    }
    expect(await rowOf(driver, last)).toMatchObject({ status: 'PROCESSING', message: 'Waiting for its turn' })
  })

  it('moves on by one whenever one of its videos ends', async () => {
    const driver = openDriver()
    const userId = `user_${crypto.randomUUID()}`
    const [first, ...rest] = await Promise.all(
      Array.from({ length: MAX_RUNS_PER_OWNER + 2 }, () => plantModule({ userId, run: 0 })),
    )
    for (const module of [first, ...rest]) {
      await startRun(driver.deps, await rowOf(driver, module?.id ?? ''), { trigger: 'upload' })
    }
    driver.sent.splice(0)
    const failure = { code: 'gave_up', reason: 'Over.' } as const
    await failRun(driver.deps, { moduleId: first?.id ?? '', run: 1 }, failure)
    await failRun(driver.deps, { moduleId: first?.id ?? '', run: 1 }, failure)
    expect(driver.sent).toHaveLength(1)
  })
})

describe('case 38: sound that is not there any more', () => {
  it('is looked for twice; then the module is FAILED and says so', async () => {
    const speech = fakeSpeech()
    const { id, drain, ...run } = await openWildRun({ speech })
    await env.MEDIA.delete(await soundOf(id.moduleId))
    await drain(50)
    expect(speech.calls).toHaveLength(0)
    expect(await moduleOf(run, id)).toMatchObject({ status: 'FAILED', failureCode: 'source_missing' })
    const parts = await listPartsBetween(run.deps.db, id, 0, 10)
    expect(Math.max(...parts.map((part) => part.tries))).toBe(2)
  })

  it('is heard when the storage answers again', async () => {
    const { id, drain, ...run } = await openWildRun()
    await run.deliver(run.take(0, 1), { at: ASKED - 1, isAfter: false, kind: 'error' })
    await drain(50)
    expect(await moduleOf(run, id)).toMatchObject({ status: 'READY' })
  })
})

describe('a run that ends as FAILED', () => {
  it.each([
    ['before', 'not done'],
    ['after', 'done'],
  ] as const)(
    'is ended whole when the answer is lost %s the commit, and the next video has its turn',
    async (_when, fault) => {
      const driver = openDriver()
      const userId = `user_${crypto.randomUUID()}`
      const id = await plantRun(MINUTE, { userId, sourceEtag: null })
      const next = await plantRun(MINUTE, { userId })
      await env.DB.prepare('UPDATE modules SET source_etag = NULL WHERE id = ?').bind(id.moduleId).run()
      await env.DB.prepare('UPDATE runs SET admitted_at = NULL WHERE module_id = ?').bind(next.moduleId).run()
      let isLost = false
      const d1 = faultyD1(env.DB, (queries) => {
        if (isLost || !queries.some((query) => query.includes('"failure_code"'))) return null
        isLost = queries.some((query) => query.startsWith('update'))
        return isLost ? fault : null
      })
      const deps = { ...driver.deps, d1, db: openDb(d1) }
      const job = { kind: 'ingest', ...id } as const
      const [first] = await runJobs([{ job, attempt: 1 }], deps)
      expect(first?.retryAfterS).not.toBeNull()
      const { endedAt } = (await findRun(driver.deps.db, id)) ?? {}
      expect(endedAt === null).toBe((await moduleOf(driver, id))?.status === 'PROCESSING')
      await runJobs([{ job, attempt: 2 }], deps)
      expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'source_missing' })
      expect(await findRun(driver.deps.db, id)).toMatchObject({ outcome: 'failed' })
      expect((await findRun(driver.deps.db, next))?.admittedAt).not.toBeNull()
    },
  )
})

describe('the end of the source', () => {
  const mumbled = () => fakeSpeech((part) => heardIn(part, 0.3))

  it('does not change what is made of words that nobody can understand, when it is known last', async () => {
    const driver = openDriver({ speech: mumbled() })
    const id = await plantRun(40_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await env.DB.prepare('UPDATE runs SET part_count = NULL WHERE module_id = ?').bind(id.moduleId).run()
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING' })
    await runThrough(driver, id)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'not_understood' })
  })

  it('is seen to by a copy of the message when the worker that found it died', async () => {
    const driver = openDriver()
    const id = await plantRun(40_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const count = (await findRun(driver.deps.db, id))?.partCount
    await env.DB.prepare('UPDATE runs SET part_count = NULL WHERE module_id = ?').bind(id.moduleId).run()
    await driver.drain()
    await env.DB.prepare('UPDATE runs SET part_count = ?2 WHERE module_id = ?1').bind(id.moduleId, count).run()
    await runThrough(driver, id)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })
})
