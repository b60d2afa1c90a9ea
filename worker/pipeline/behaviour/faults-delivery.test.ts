// Behaviour: lost, doubled and strange messages, and workers that die.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { localServices } from '#local/local-services.ts'
import { seedModule } from '#local/testing/modules.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { deleteModule, restoreModule } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { RUN_SUBJECT } from '#worker/domain/run/run-subject.ts'
import { failRun, MAX_RUNS_PER_OWNER, startRun } from '#worker/domain/run/start-run.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { TASKS_PER_INVOCATION } from '#worker/tasks/drain.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import { LEASE_MS } from '#worker/tasks/task-store.ts'
import { recover } from '../recover.ts'
import { TASK_HANDLERS } from '../task-handlers.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { audioOf, moduleOf, outcomeOf, runThrough } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'
import type { Fault } from '../testing/wild-queue.ts'
import { openWildRun } from '../testing/wild-run.ts'

holdTasks()

const MINUTE = 60_000
/** A chunk's task finds its run and its chunk and reads the audio, its third call; once it is paid for, it asks and commits. */
const READ = 2
const ASKED = { from: 'speech', at: 0 } as const
const COMMITTED = { from: 'speech', at: 1 } as const

async function rowOf(driver: Driver, moduleId: string) {
  const row = await moduleOf(driver, { moduleId })
  if (row === null) throw new Error('no module')
  return row
}

/** A room that only records. */
function recordingRoom(published: string[]): Env['MODULE_ROOM'] {
  const publish = async ({ status }: { status: string }) => void published.push(status)
  return { idFromName: () => null, get: () => ({ publish }) } as unknown as Env['MODULE_ROOM']
}

describe('a worker that dies after the model has answered', { tags: 'fault-15' }, () => {
  it.each([
    ['before the transcribed chunk is committed', { ...ASKED, isAfter: true, kind: 'killed' }, 1],
    ['after the transcribed chunk is committed', { ...COMMITTED, isAfter: true, kind: 'killed' }, 0],
  ] as [string, Fault, number][])(
    'a worker that dies after the model has answered %s costs at most one more call',
    async (_when, fault, more) => {
      const speech = fakeSpeech()
      const { id, drain, ...queue } = await openWildRun({ speech })
      const chunks = (await findRun(queue.deps.db, id))?.chunkCount ?? 0
      await queue.deliver('transcribe', 1, fault)
      await drain(50)
      expect(speech.calls).toHaveLength(chunks + more)
      const plain = openDriver()
      const other = await seedRun(MINUTE)
      await runThrough(plain, other)
      expect(await outcomeOf(queue, id)).toEqual(await outcomeOf(plain, other))
    },
  )
})

describe('a message that no consumer understands', { tags: 'fault-16' }, () => {
  it('is a doorbell like any other: what is due is done, and it is never delivered again', async () => {
    const { deps } = openDriver()
    const id = await seedRun(MINUTE)
    const ringing = createMessageBatch<unknown>('adapt-ingest', [
      { id: 'a', timestamp: new Date(), attempts: 1, body: '{bad' },
      { id: 'b', timestamp: new Date(), attempts: 1, body: { kind: 'v9', ...id } },
    ])
    const context = createExecutionContext()
    await createWorker(localServices).queue(ringing, env, context)
    const result = await getQueueResult(ringing, context)
    expect([result.ackAll, result.retryMessages]).toEqual([true, []])
    expect((await findRun(deps.db, id))?.chunkCount).toBeGreaterThan(0)
  })
})

describe('an invocation that runs out of memory or time', { tags: 'fault-17' }, () => {
  const killed: Fault = { ...ASKED, isAfter: false, kind: 'killed' }

  it('is tried again, and nothing has to be missed first', async () => {
    const { id, drain, ...queue } = await openWildRun()
    await queue.deliver('transcribe', TASKS_PER_INVOCATION, killed)
    await drain(50)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'READY', redrives: 0 })
  })

  it.each(['killed', 'power'] as const)('ends the module as FAILED when it happens every time (%s)', async (kind) => {
    const { id, ...queue } = await openWildRun()
    for (let attempts = 0; attempts < 20; attempts++) {
      await queue.deliver('transcribe', TASKS_PER_INVOCATION, { ...killed, kind })
      queue.pass(31_000)
    }
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('transcribes a chunk again although releasing its lease failed, too', async () => {
    const { id, drain, ...queue } = await openWildRun()
    await queue.deliver('transcribe', 1, { ...COMMITTED, isAfter: false, kind: 'error', times: 2 })
    await drain(50)
    expect(await moduleOf(queue, id)).toMatchObject({ status: 'READY', redrives: 0 })
  })
})

describe('a module that is deleted while a chunk is being transcribed', { tags: 'fault-18' }, () => {
  it('does not come back: nothing is written any more, and in the end no audio is left', async () => {
    const published: string[] = []
    const speech = fakeSpeech(async (chunk) => {
      const owner = { userId: module?.userId ?? '', orgId: null, orgRole: null, orgPermissions: [] }
      await deleteModule(run.deps, owner, run.id.moduleId)
      return transcribedIn(chunk)
    })
    const run = await openWildRun({ speech })
    const module = await moduleOf(run, run.id)
    run.deps.rooms = recordingRoom(published)
    await run.drain(50)
    expect(speech.calls).toHaveLength(1)
    expect(await moduleOf(run, run.id)).toBeNull()
    expect(await outcomeOf(run, run.id)).toEqual({ text: [], steps: [] })
    expect(await findRun(run.deps.db, run.id)).toMatchObject({ transcribedCount: 0, outcome: null })
    expect(published).not.toContain('READY')
    await sweepHere({ ...openDriver().deps, nowMs: () => Date.now() + 8 * 24 * 60 * MINUTE })
    expect(await audioOf(run.id.moduleId)).toEqual([])
  })

  it('goes on when it is restored, whatever was being done when it was deleted, and ends as if nothing had been', async () => {
    const owner = { userId: 'user_owner', orgId: null, orgRole: null, orgPermissions: [] }
    const plain = openDriver()
    const plainId = await seedRun(MINUTE)
    await runThrough(plain, plainId)
    const expected = await outcomeOf(plain, plainId)
    for (let before = 0; before < 6; before++) {
      const driver = openDriver()
      const id = await seedRun(MINUTE)
      for (let at = 0; at < before; at++) await driver.deliver((await driver.listReady()).slice(0, 1))
      await Promise.all([
        driver.deliver((await driver.listReady()).slice(0, 1)),
        deleteModule(driver.deps, owner, id.moduleId),
      ])
      const lost = await driver.listReady()
      await Promise.all([driver.deliver(lost), restoreModule(driver.deps, owner, id.moduleId)])
      await driver.drain()
      // What was in progress is due again when its lease is over.
      for (let check = 1; check <= 3; check++) {
        driver.deps.nowMs = () => Date.now() + check * 2 * MINUTE
        await recover(driver.deps, id.moduleId)
        await driver.drain()
      }
      expect(await moduleOf(driver, id), `${before} before`).toMatchObject({ status: 'READY', run: 1 })
      expect(await outcomeOf(driver, id)).toEqual(expected)
    }
  })
})

describe('a backlog of one owner', { tags: 'fault-20' }, () => {
  const BACKLOG = 40

  it('keeps no other owner waiting, and gives up no module while it waits for its turn', async () => {
    const driver = openDriver()
    const [many, one] = [`user_${crypto.randomUUID()}`, `user_${crypto.randomUUID()}`]
    const waiting = await Promise.all(Array.from({ length: BACKLOG }, () => seedModule({ userId: many, run: 0 })))
    for (const module of waiting) await startRun(driver.deps, await rowOf(driver, module.id), { trigger: 'upload' })
    expect(await driver.listReady()).toHaveLength(MAX_RUNS_PER_OWNER)

    const other = await seedModule({ userId: one, run: 0 })
    await startRun(driver.deps, await rowOf(driver, other.id), { trigger: 'upload' })
    expect((await driver.listReady()).slice(MAX_RUNS_PER_OWNER)).toMatchObject([{ kind: 'ingest', moduleId: other.id }])

    const last = waiting.at(-1)?.id ?? ''
    for (let hour = 1; hour <= 5; hour++) {
      await recover({ ...driver.deps, nowMs: () => Date.now() + hour * 60 * MINUTE }, last)
    }
    expect(await rowOf(driver, last)).toMatchObject({ status: 'PROCESSING', message: 'Waiting for its turn' })
  })

  it('moves on by one whenever one of its videos ends', async () => {
    const driver = openDriver()
    const userId = `user_${crypto.randomUUID()}`
    const [first, ...rest] = await Promise.all(
      Array.from({ length: MAX_RUNS_PER_OWNER + 2 }, () => seedModule({ userId, run: 0 })),
    )
    for (const module of [first, ...rest]) {
      await startRun(driver.deps, await rowOf(driver, module?.id ?? ''), { trigger: 'upload' })
    }
    const failure = { code: 'gave_up', reason: 'Over.' } as const
    await failRun(driver.deps, { moduleId: first?.id ?? '', run: 1 }, failure)
    await failRun(driver.deps, { moduleId: first?.id ?? '', run: 1 }, failure)
    expect(await driver.listReady()).toHaveLength(MAX_RUNS_PER_OWNER)
  })
})

describe('audio that is not there any more', { tags: 'fault-38' }, () => {
  it('is looked for twice; then the module is FAILED and says so', async () => {
    const speech = fakeSpeech()
    const { id, drain, ...run } = await openWildRun({ speech })
    await env.MEDIA.delete(await audioOf(id.moduleId))
    await drain(50)
    expect(speech.calls).toHaveLength(0)
    expect(await moduleOf(run, id)).toMatchObject({ status: 'FAILED', failureCode: 'source_missing' })
    const most = env.DB.prepare("SELECT max(attempts) AS most FROM task_queue WHERE subject_id GLOB ? || '*'").bind(
      id.moduleId,
    )
    expect(await most.first('most')).toBe(1)
  })

  it('is transcribed when the storage answers again', async () => {
    const { id, drain, ...run } = await openWildRun()
    await run.deliver('transcribe', 1, { at: READ, isAfter: false, kind: 'error' })
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
    { tags: 'fault-35' },
    async (_when, fault) => {
      const driver = openDriver()
      const userId = `user_${crypto.randomUUID()}`
      const id = await seedRun(MINUTE, { userId, sourceEtag: null })
      const next = await seedRun(MINUTE, { userId })
      await env.DB.prepare('UPDATE modules SET source_etag = NULL WHERE id = ?').bind(id.moduleId).run()
      await env.DB.prepare('UPDATE runs SET admitted_at = NULL WHERE module_id = ?').bind(next.moduleId).run()
      let isLost = false
      const d1 = faultyD1(env.DB, (queries) => {
        if (isLost || !queries.some((query) => query.includes('"failure_code"'))) return null
        isLost = queries.some((query) => query.startsWith('update'))
        return isLost ? fault : null
      })
      let nowMs = Date.now()
      const deps = { ...driver.deps, d1, db: openDb(d1), nowMs: () => nowMs }
      const limits = { kind: 'ingest', subject: RUN_SUBJECT, limit: 1, bytes: 0, isIdle: true } as const
      const claim = () => ({ ...limits, nowMs: (nowMs += 2 * LEASE_MS) })
      await runTasks(await claimTasks(env.DB, claim()), deps, TASK_HANDLERS)
      const { endedAt } = (await findRun(driver.deps.db, id)) ?? {}
      expect(endedAt === null).toBe((await moduleOf(driver, id))?.status === 'PROCESSING')
      await runTasks(await claimTasks(env.DB, claim()), deps, TASK_HANDLERS)
      await recover(deps, id.moduleId)
      expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'source_missing' })
      expect(await findRun(driver.deps.db, id)).toMatchObject({ outcome: 'failed' })
      expect((await findRun(driver.deps.db, next))?.admittedAt).not.toBeNull()
    },
  )
})

describe('the end of the source', () => {
  const mumbled = () => fakeSpeech((chunk) => transcribedIn(chunk, 0.3))

  it('leads to the same outcome for unintelligible words when it is known last', async () => {
    const driver = openDriver({ speech: mumbled() })
    const id = await seedRun(40_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const count = (await findRun(driver.deps.db, id))?.chunkCount
    await env.DB.prepare('UPDATE runs SET chunk_count = NULL WHERE module_id = ?').bind(id.moduleId).run()
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING' })
    await env.DB.prepare('UPDATE runs SET chunk_count = ?2 WHERE module_id = ?1').bind(id.moduleId, count).run()
    await recover(driver.deps, id.moduleId)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'not_understood' })
  })

  it('is seen to by the watchdog when the worker that found it died', async () => {
    const driver = openDriver()
    const id = await seedRun(40_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const count = (await findRun(driver.deps.db, id))?.chunkCount
    await env.DB.prepare('UPDATE runs SET chunk_count = NULL WHERE module_id = ?').bind(id.moduleId).run()
    await driver.drain()
    await env.DB.prepare('UPDATE runs SET chunk_count = ?2 WHERE module_id = ?1').bind(id.moduleId, count).run()
    await recover(driver.deps, id.moduleId)
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })
})
