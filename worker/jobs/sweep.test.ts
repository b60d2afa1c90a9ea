import { env, exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { localServices } from '#local/local-services.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import type { Context } from '#worker/core/context.ts'
import { createWorker } from '#worker/create-worker.ts'
import { insertErasure } from '#worker/domain/account/erasure-store.ts'
import type { AlertRun } from '#worker/domain/health/alert-of-health.ts'
import { listOutcomes } from '#worker/domain/health/outcome-store.ts'
import { openAskedQueues } from '#worker/domain/health/probe-parts.ts'
import { takeToErase } from '#worker/domain/lifecycle/erase-module.ts'
import { deleteModule } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { softDeleteModule } from '#worker/domain/module/deleted-store.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { listCheckpoints } from '#worker/domain/record/checkpoint.ts'
import { ASSIGNED } from '#worker/domain/record/testing/seed-records.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { failRun } from '#worker/domain/run/start-run.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { openDriver, seedRun } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { runSweep, sweep } from './sweep.ts'
import { sweepPart } from './sweep-parts.ts'
import { runPartHere, sweepHere, unbounded } from './testing/sweep-here.ts'

holdTasks()

const HOUR = 60 * 60_000
const TABLES = ['modules', 'runs', 'task_queue', 'audio_chunks', 'sections', 'transcript_corrections', 'steps']

async function rowsOf(moduleId: string): Promise<number> {
  const counts = await Promise.all(
    TABLES.map((table) => {
      const column = table === 'modules' ? 'id' : table === 'task_queue' ? 'subject_id' : 'module_id'
      const rows = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} GLOB ? || '*'`)
      return rows.bind(moduleId).first<number>('n')
    }),
  )
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

async function storedFor(moduleId: string): Promise<number> {
  const lists = await Promise.all(
    ['src', 'chunks', 'images', 'transcripts'].map((room) => env.MEDIA.list({ prefix: `${room}/${moduleId}/` })),
  )
  return lists.reduce((sum, { objects }) => sum + objects.length, 0)
}

async function endedRun(durationMs = 60_000): Promise<string> {
  const driver = openDriver()
  const id = await seedRun(durationMs)
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.drain()
  return id.moduleId
}

const OWNER = { userId: 'user_owner', orgId: null, orgRole: null, orgPermissions: [] }
const deletedRows = (moduleId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM deleted_modules WHERE id = ?').bind(moduleId).first<number>('n')

async function listErasures(): Promise<unknown[]> {
  const { results } = await env.DB.prepare('SELECT user_id AS userId FROM account_erasures ORDER BY 1').all()
  return results.map(({ userId }) => userId)
}

function withoutDelete(bucket: R2Bucket, isAway = (_key: string) => true): R2Bucket {
  return new Proxy(bucket, {
    get: (whole, name) => {
      if (name === 'delete') {
        return (keys: string | string[]) =>
          [keys].flat().some(isAway) ? Promise.reject(new Error('away')) : whole.delete(keys)
      }
      const part: unknown = Reflect.get(whole, name)
      return typeof part === 'function' ? part.bind(whole) : part
    },
  })
}

/** What earlier tests have left is none of this one's business. */
async function sweepClean(): Promise<void> {
  const { deps } = openDriver()
  await env.DB.prepare(
    "UPDATE modules SET status = 'FAILED', run_status = 'FAILED' WHERE status = 'PROCESSING' AND run > 0",
  ).run()
  for (let days = 90, failed = 1; failed > 0 && days < 95; days++) {
    failed = (await sweepHere({ ...deps, nowMs: () => Date.now() + days * 24 * HOUR })).failed
  }
}

it('erases a deleted module with everything that was made of it, once it cannot be restored any more', {
  tags: ['fault-18', 'spec-7.4'],
}, async () => {
  const moduleId = await endedRun(600_000)
  const other = await seedRun(60_000)
  const { deps } = openDriver()
  await env.MEDIA.put(`images/${moduleId}/poster`, 'x')
  await deleteModule({ ...deps, nowMs: () => 1000 }, OWNER, moduleId)
  await sweepHere({ ...deps, nowMs: () => 7 * 24 * HOUR })
  expect(await rowsOf(moduleId)).toBeGreaterThan(3)
  await sweepHere({ ...deps, nowMs: () => 1000 + 7 * 24 * HOUR })
  expect([await rowsOf(moduleId), await deletedRows(moduleId), await storedFor(moduleId)]).toEqual([0, 0, 0])
  expect(await storedFor(other.moduleId)).toBeGreaterThan(0)
})

it('keeps the row of a module whose objects could not be removed, and tries again', { tags: 'fault-18' }, async () => {
  const moduleId = await endedRun()
  const { deps } = openDriver()
  await deleteModule({ ...deps, nowMs: () => 1000 }, OWNER, moduleId)
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const counts = await sweepHere({ ...deps, bucket: withoutDelete(deps.bucket), nowMs: () => 8 * 24 * HOUR })
  warned.mockRestore()
  expect(counts).toMatchObject({ erased: 0 })
  expect(counts.failed).toBeGreaterThan(0)
  expect([await deletedRows(moduleId), (await storedFor(moduleId)) > 0]).toEqual([1, true])
  await sweepHere({ ...deps, nowMs: () => 8 * 24 * HOUR })
  expect([await deletedRows(moduleId), await storedFor(moduleId)]).toEqual([0, 0])
})

describe('the line of modules that are to be erased', () => {
  const FIRST_MS = 1_000
  const nowMs = FIRST_MS + 10 * HOUR
  const MINUTE = 60_000

  /** So many modules of one person that are deleted for good, one each millisecond. */
  async function seedDeleted(count: number, { userId, fromMs }: { userId: string; fromMs: number }) {
    const { db } = openDriver().deps
    const planted = await Promise.all(Array.from({ length: count }, () => seedModule({ userId })))
    for (const [at, { id }] of planted.entries()) {
      await softDeleteModule(db, id, { nowMs: fromMs + at, kind: 'forGood' })
    }
    return planted.map(({ id }) => id)
  }

  it('is taken in turns: an owner who has deleted thousands keeps no other owner waiting', async () => {
    await sweepClean()
    const many = await seedDeleted(30, { userId: 'user_many', fromMs: FIRST_MS })
    const two = await seedDeleted(2, { userId: 'user_two', fromMs: FIRST_MS + HOUR })
    const one = await seedDeleted(1, { userId: 'user_one', fromMs: FIRST_MS + 2 * HOUR })
    const fresh = await seedDeleted(1, { userId: 'user_fresh', fromMs: nowMs })
    const { deps } = openDriver()
    const taken = (await takeToErase({ ...deps, nowMs: () => nowMs })).map(({ id }) => id)
    expect(taken.toSorted()).toEqual([...many.slice(0, 17), ...two, ...one].toSorted())
    expect(taken).not.toContain(fresh[0])
    // Those that were taken and are still there go behind the others.
    const next = (await takeToErase({ ...deps, nowMs: () => nowMs + MINUTE })).map(({ id }) => id)
    expect(next).toEqual(expect.arrayContaining(many.slice(17)))
    await sweepClean()
  })

  it('is not held up by modules that can never be erased, and comes back to them', async () => {
    await sweepClean()
    const bad: string[] = []
    for (let user = 0; user < 20; user++) {
      bad.push(...(await seedDeleted(1, { userId: `user_bad_${user}`, fromMs: FIRST_MS + user })))
    }
    const good = await seedDeleted(25, { userId: 'user_good', fromMs: FIRST_MS + HOUR })
    const { deps } = openDriver()
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const bucket = withoutDelete(deps.bucket, (key) => bad.some((id) => key.startsWith(`src/${id}/`)))
    const sweeps = []
    for (const minutes of [0, 1, 2]) {
      const { erased, failed } = await sweepHere({ ...deps, bucket, nowMs: () => nowMs + minutes * MINUTE })
      sweeps.push([erased, failed])
    }
    warned.mockRestore()
    expect(sweeps).toEqual([
      [0, 20],
      [20, 0],
      [5, 15],
    ])
    expect(await Promise.all(good.map(deletedRows))).toEqual(good.map(() => 0))
    await sweepHere({ ...deps, nowMs: () => nowMs + 3 * MINUTE })
    expect(await Promise.all(bad.map(deletedRows))).toEqual(bad.map(() => 0))
  })
})

it('takes several sweeps for a module with very many learners', async () => {
  const { id } = await seedModule({ status: 'READY' })
  await env.DB.prepare(
    `INSERT INTO learners (module_id, learner_id, first_at, last_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50001) SELECT ?, 'anyone:' || i, 1, 1 FROM n`,
  )
    .bind(id)
    .run()
  const { deps } = openDriver()
  await deleteModule({ ...deps, nowMs: () => 1000 }, OWNER, id)
  const later = { ...deps, nowMs: () => 8 * 24 * HOUR }
  const left = () =>
    env.DB.prepare('SELECT count(*) AS n FROM learners WHERE module_id = ?').bind(id).first<number>('n')
  await sweepHere(later)
  expect([await left(), await deletedRows(id)]).toEqual([1, 1])
  await sweepHere(later)
  expect([await left(), await deletedRows(id)]).toEqual([0, 0])
})

it('removes the audio of a run that failed long ago; trying again begins from the start', async () => {
  const driver = openDriver()
  const id = await seedRun(60_000)
  await driver.deliver([{ kind: 'ingest', ...id }])
  const nowMs = Date.now()
  await failRun(driver.deps, id, { code: 'ai_unavailable', reason: 'Away' })
  await sweepHere({ ...driver.deps, nowMs: () => nowMs + 6 * 24 * HOUR })
  const audio = async () => (await env.MEDIA.list({ prefix: `chunks/${id.moduleId}/` })).objects.length
  expect(await audio()).toBeGreaterThan(0)
  const { expired } = await sweepHere({ ...driver.deps, nowMs: () => nowMs + (7 * 24 + 1) * HOUR })
  expect([expired, await audio()]).toEqual([1, 0])
  const module = await findModule(driver.deps.db, id.moduleId)
  if (module === null) throw new Error('the module is gone')
  await reprocessModule(driver.deps, module, {})
  await driver.drain()
  expect(await findModule(driver.deps.db, id.moduleId)).toMatchObject({ status: 'READY', run: 2 })
})

it('looks for audio that has long been due once an hour', async () => {
  const driver = openDriver()
  const id = await seedRun(60_000)
  await driver.deliver([{ kind: 'ingest', ...id }])
  await failRun(driver.deps, id, { code: 'ai_unavailable', reason: 'Away' })
  const fullHourMs = Math.ceil(Date.now() / HOUR) * HOUR + 8 * 24 * HOUR
  expect((await sweepHere({ ...driver.deps, nowMs: () => fullHourMs - 1 })).expired).toBe(0)
  expect((await sweepHere({ ...driver.deps, nowMs: () => fullHourMs })).expired).toBe(1)
})

it('removes the audio of such a run with the next sweep where storage was away', async () => {
  const driver = openDriver()
  const id = await seedRun(60_000)
  await driver.deliver([{ kind: 'ingest', ...id }])
  await failRun(driver.deps, id, { code: 'ai_unavailable', reason: 'Away' })
  const later = { ...driver.deps, nowMs: () => Date.now() + (7 * 24 + 1) * HOUR }
  const lines = await linesOf(() => sweepHere({ ...later, bucket: withoutDelete(later.bucket) }))
  expect(lines).toContainEqual(expect.objectContaining({ event: 'sweep_failed', moduleId: id.moduleId }))
  await sweepHere(later)
  expect((await env.MEDIA.list({ prefix: `chunks/${id.moduleId}/` })).objects).toEqual([])
})

it('logs one line with what it did, and answers the same', async () => {
  await sweepClean()
  const { deps } = openDriver()
  const nowMs = Date.now()
  const old = { createdAt: nowMs - 25 * HOUR, receivedAt: null, sourceEtag: null, run: 0 }
  await seedModule(old)
  await seedModule({ ...old, createdAt: nowMs })
  await seedModule({ updatedAt: nowMs - 60_000, createdAt: nowMs })
  const gone = await seedModule({ status: 'READY' })
  await deleteModule({ ...deps, nowMs: () => nowMs - 8 * 24 * HOUR }, OWNER, gone.id)
  await env.DB.prepare('INSERT INTO tutor_days (module_id, day, model_answers) VALUES (?, ?, 1)')
    .bind(gone.id, '2020-01-01')
    .run()
  await insertErasure(deps.db, 'user_of_no_module', nowMs)
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  logged.mockClear()
  const counts = await sweepHere({ ...deps, nowMs: () => nowMs })
  const lines = logged.mock.calls.map(([line]) => line as { event?: string })
  logged.mockRestore()
  expect(lines.filter(({ event }) => event === 'sweep')).toMatchObject([{ event: 'sweep', counts }])
  // The module is erased before the sum of its day would be looked at.
  const none = {
    rung: 0,
    carried: 0,
    answers: 0,
    erasures: 0,
    glossaries: 0,
    invitations: 0,
    images: 0,
    reports: 0,
    photos: 0,
    expired: 0,
    asked: 0,
    indexed: 0,
    resumed: 0,
    refunded: 0,
    failed: 0,
    left: 0,
    broken: 0,
    days: 0,
    steps: 0,
    uses: 0,
    checkpoints: 0,
    assignments: 0,
    reminders: 0,
    records: 0,
  }
  expect(counts).toEqual({ quiet: 1, awaited: 1, abandoned: 1, erased: 1, accounts: 1, ...none })
  expect(await listErasures()).toEqual([])
})

it('keeps the end of each list of training records', async () => {
  const { deps } = openDriver()
  const context = { ...deps, nowMs: () => Math.floor(Date.now() / HOUR) * HOUR }
  await appendRecords(context, 'org_swept', { bodies: [ASSIGNED] })
  await sweepHere(context)
  expect(await listCheckpoints(env.MEDIA, 'org_swept')).toMatchObject([{ seq: 1 }])
})

it('forgets what counted towards quotas after two days, and what models cost everyone after two months', async () => {
  const { deps } = openDriver()
  const dayAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10)
  const use = env.DB.prepare(
    "INSERT INTO quota_uses (module_id, kind, day, user_id, amount) VALUES (?, 'ai', ?, 'x', 1)",
  )
  const uses = [1, 3, 59, 62].flatMap((days) => [
    use.bind('everyone', dayAgo(days)),
    use.bind('a-module', dayAgo(days)),
  ])
  await env.DB.batch(uses)
  await sweepHere(deps)
  const kept = env.DB.prepare("SELECT module_id AS id, day FROM quota_uses WHERE user_id = 'x' ORDER BY day DESC, id")
  expect((await kept.all()).results).toEqual([
    { id: 'a-module', day: dayAgo(1) },
    { id: 'everyone', day: dayAgo(1) },
    { id: 'everyone', day: dayAgo(3) },
    { id: 'everyone', day: dayAgo(59) },
  ])
})

it('gets to every erasure, whatever keeps the oldest from being done, and says whose has failed', async () => {
  const { deps } = openDriver()
  const stuck = Array.from({ length: 20 }, (_, at) => `user_stuck_${String(at).padStart(2, '0')}`)
  for (const userId of stuck) {
    await insertErasure(deps.db, userId, 1)
    await env.DB.prepare("INSERT INTO learners (module_id, learner_id, first_at, last_at) VALUES ('stuck', ?, 1, 1)")
      .bind(`user:${userId}`)
      .run()
  }
  await insertErasure(deps.db, 'user_next', 2)
  await env.DB.prepare(
    "CREATE TRIGGER stuck BEFORE UPDATE ON learners WHEN old.module_id = 'stuck' BEGIN SELECT RAISE(ABORT, 'stuck'); END",
  ).run()
  const left = listErasures
  const lines = await linesOf(async () => {
    for (let sweeps = 0; sweeps < 2; sweeps++) await sweepHere(deps)
  })
  expect(await left()).toEqual(stuck)
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'sweep_failed', userId: expect.stringMatching(/^user_stuck_/) }),
  )
  await env.DB.prepare('DROP TRIGGER stuck').run()
  await sweepHere(deps)
  expect(await left()).toEqual([])
  await env.DB.prepare("DELETE FROM learners WHERE module_id = 'stuck'").run()
})

it('removes an upload that was never finished, with the captions that came before it', async () => {
  const { id } = await seedModule({ receivedAt: null, sourceEtag: null, run: 0, createdAt: 1000 })
  await seedCaptions(id, [{ startMs: 0, endMs: 1, text: 'x', confidence: null }])
  expect(await storedFor(id)).toBe(1)
  const { deps } = openDriver()
  await sweepHere({ ...deps, nowMs: () => 1000 + 25 * HOUR })
  expect(await findModule(deps.db, id)).toBeNull()
  await sweepHere({ ...deps, nowMs: () => 1000 + 26 * HOUR })
  expect([await rowsOf(id), await deletedRows(id), await storedFor(id)]).toEqual([0, 0, 0])
})

describe('a scheduled run', () => {
  const NOW = 500 * HOUR
  const runHere = (context: Context, alerts: AlertRun | null = null) =>
    runSweep(context, { queues: openAskedQueues(env), runPart: runPartHere(context), alerts })
  const sweptAt = async () => (await listOutcomes(env.DB)).find(({ part }) => part === 'sweep')?.okAt

  it('writes down what it found and what waits in the queues, and leaves a sign for the health check', async () => {
    await seedModule({ updatedAt: NOW, deletedAt: NOW - 8 * 24 * HOUR })
    const { deps } = openDriver()
    const lines = await linesOf(() => runHere({ ...deps, nowMs: () => NOW }))
    const requestId = expect.stringMatching(/^[\da-f-]{36}$/)
    const counts = expect.objectContaining({ erased: expect.any(Number), quiet: expect.any(Number) })
    const swept = lines.find(({ event }) => event === 'sweep')
    expect(swept).toEqual({ level: 'info', event: 'sweep', requestId, durationMs: 0, counts })
    expect((swept?.['counts'] as { erased: number } | undefined)?.erased).toBeGreaterThan(0)
    const backlog = lines.find(({ event }) => event === 'backlog')
    expect(backlog).toMatchObject({ counts: { ingest: 0, speech: 0, steps: 0, purges: expect.any(Number) } })
    expect(backlog?.['requestId']).toBe(swept?.['requestId'])
    expect(await sweptAt()).toBe(NOW)
  })

  it('sends an alert when a part of the platform has been away for ten minutes', async () => {
    await env.DB.prepare('DELETE FROM outcomes').run()
    const { deps } = openDriver()
    const bucket = { head: () => Promise.reject(new Error('away')) } as unknown as R2Bucket
    const sent: unknown[] = []
    const alerts: AlertRun = {
      environment: 'production',
      debugUrl: 'https://adapt.example.com/debug',
      send: async ({ state, parts }) => void sent.push([state, Object.keys(parts)]),
    }
    const runAt = (minute: number) => runHere({ ...deps, bucket, nowMs: () => NOW + minute * 60_000 }, alerts)
    await linesOf(() => runAt(0))
    expect(sent).toEqual([])
    await linesOf(() => runAt(11))
    expect(sent).toEqual([['bad', expect.arrayContaining(['r2'])]])
  })

  it('says why it broke off, and leaves no sign', async () => {
    const { deps } = openDriver()
    await runHere({ ...deps, nowMs: () => NOW })
    const broken = { ...deps, nowMs: () => NOW + HOUR, d1: undefined as unknown as typeof deps.d1 }
    const lines = await linesOf(() => expect(runHere(broken)).rejects.toThrow())
    expect(lines).toMatchObject([{ level: 'error', event: 'sweep', outcome: 'failed', code: 'internal' }])
    expect(await sweptAt()).toBe(NOW)
  })
})

describe('parts of a sweep', () => {
  const NOW = 600 * HOUR
  const outcomes = async () => new Map((await listOutcomes(env.DB)).map((row) => [row.part, row]))

  it('parts of a sweep are each an invocation of their own of the worker, and are kept with how they ended', async () => {
    await env.DB.prepare('DELETE FROM outcomes').run()
    const lines = await linesOf(() =>
      createWorker(localServices).scheduled({} as ScheduledController, env, { exports } as unknown as ExecutionContext),
    )
    const [swept] = lines.filter(({ event }) => event === 'sweep')
    expect(swept).toMatchObject({ counts: { broken: 0, quiet: expect.any(Number), uses: expect.any(Number) } })
    const kept = await outcomes()
    for (const part of ['sweep', 'sweep:quiet', 'sweep:erased', 'sweep:rows'] as const)
      expect([part, kept.get(part)]).toEqual([
        part,
        expect.objectContaining({ okAt: expect.any(Number), failedAt: null }),
      ])
  })

  it('go on where one of them breaks off, which is logged and kept', async () => {
    await sweepClean()
    const gone = await seedModule({ status: 'READY', deletedAt: NOW - 8 * 24 * HOUR })
    const { deps } = openDriver()
    const context = { ...deps, nowMs: () => NOW }
    const here = runPartHere(context)
    const lines = await linesOf(() =>
      sweep(context, (part, requestId) =>
        part === 'quiet' ? Promise.reject(new Error('exceeded CPU')) : here(part, requestId),
      ),
    )
    expect(await deletedRows(gone.id)).toBe(0)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'sweep_part',
        stage: 'quiet',
        outcome: 'failed',
        code: 'internal',
      }),
    )
    expect(lines.find(({ event }) => event === 'sweep')).toMatchObject({ counts: { broken: 1, erased: 1 } })
    const kept = await outcomes()
    expect(kept.get('sweep:quiet')).toMatchObject({ failedAt: NOW, code: 'internal' })
    expect(kept.get('sweep:erased')).toMatchObject({ okAt: NOW })
  })

  it('say by name that tasks could not be read, so that lost translations stay lost', async () => {
    const context = { ...openDriver().deps, nowMs: () => NOW }
    const part = runPartHere({ ...context, d1: undefined as unknown as typeof context.d1 })
    await linesOf(() => sweep(context, part))
    expect((await outcomes()).get('sweep:tasks')).toMatchObject({ failedAt: NOW, code: 'internal' })
  })

  it('stop between two items when their queries are used up, and the next sweep begins with what is left', async () => {
    await sweepClean()
    const { deps } = openDriver()
    for (let at = 0; at < 5; at++) await insertErasure(deps.db, `user_left_${at}`, at)
    for (let at = 0; at < 3; at++)
      await seedModule({ id: `left-${at}`, status: 'READY', deletedAt: NOW - (9 * 24 - at) * HOUR })
    const sweepTwo = (nowMs: number) => {
      const context = { ...deps, nowMs: () => nowMs }
      return sweep(context, (part) => {
        let items = 0
        return sweepPart(part, { ...unbounded(context), canMail: true, hasQueriesLeft: () => items++ < 2 })
      })
    }
    const left = async () => [await listErasures(), await deletedIds()]
    const deletedIds = async () =>
      (await env.DB.prepare("SELECT id FROM deleted_modules WHERE id LIKE 'left-%' ORDER BY id").all()).results.map(
        ({ id }) => id,
      )
    const lines = await linesOf(() => sweepTwo(NOW))
    expect(await left()).toEqual([['user_left_2', 'user_left_3', 'user_left_4'], ['left-2']])
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'sweep_part', stage: 'accounts', outcome: 'left', count: 3 }),
    )
    expect((await outcomes()).get('sweep:accounts')).toMatchObject({ failedAt: NOW, code: 'left' })
    // What was left rests no hour.
    await insertErasure(deps.db, 'user_left_9', 9)
    await sweepTwo(NOW + 60_000)
    expect(await left()).toEqual([['user_left_4', 'user_left_9'], []])
    await sweepTwo(NOW + 120_000)
    expect(await left()).toEqual([[], []])
    expect((await outcomes()).get('sweep:accounts')).toMatchObject({ okAt: NOW + 120_000 })
  })
})

describe('a run that has gone silent', () => {
  const MINUTES = 60_000
  const START = 10 * HOUR

  it('goes on where it stood, however long the machine was off', async () => {
    const driver = openDriver()
    const id = await seedRun(60_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await sweepHere({ ...driver.deps, nowMs: () => Date.now() + 24 * HOUR })
    expect(driver.rung).toContainEqual({ kind: 'transcribe' })
    await driver.drain()
    expect(await findModule(driver.deps.db, id.moduleId)).toMatchObject({ status: 'READY' })
  })

  it('rings again and again and then ends as FAILED, within 20 minutes', { tags: 'guarantee-G2' }, async () => {
    const { deps, rung } = openDriver()
    const id = await seedRun(60_000, { updatedAt: START })
    for (let minute = 1; minute <= 20; minute++) await sweepHere({ ...deps, nowMs: () => START + minute * MINUTES })
    expect(rung.filter(({ kind }) => kind === 'ingest').length).toBeGreaterThan(10)
    expect(await findModule(deps.db, id.moduleId)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('is no silence while one of its tasks is in progress or waits for its next attempt', async () => {
    const { deps } = openDriver()
    const id = await seedRun(60_000, { updatedAt: START })
    const later = env.DB.prepare("UPDATE task_queue SET next_attempt_at = ?2 WHERE subject_id GLOB ?1 || '*'")
    await later.bind(id.moduleId, START + 3 * HOUR).run()
    for (let minute = 1; minute <= 60; minute++) await sweepHere({ ...deps, nowMs: () => START + minute * MINUTES })
    expect(await findModule(deps.db, id.moduleId)).toMatchObject({ status: 'PROCESSING', redrives: 0 })
  })
})

it('removes the glossary, the webhook and the key of an organization that has nothing any more', async () => {
  const MONTH = 30 * 24 * HOUR
  const nowMs = Math.ceil(Date.now() / HOUR) * HOUR
  const plant = (orgId: string, updatedAt: number) =>
    env.DB.batch(
      [
        "INSERT INTO glossaries (org_id, words, updated_at) VALUES (?, 'Valve', ?)",
        "INSERT INTO webhooks (org_id, url, secret, updated_at) VALUES (?, 'https://a.org', 'whsec_valve', ?)",
      ].map((sql) => env.DB.prepare(sql).bind(orgId, updatedAt)),
    )
  for (const orgId of ['org_ended', 'org_with_module', 'org_with_deleted', 'org_with_collection'])
    await plant(orgId, nowMs - MONTH - 1)
  await plant('org_new', nowMs - MONTH)
  const rule =
    "INSERT INTO glossaries (org_id, words, password_minutes, updated_at) VALUES ('org_with_rule', '', 30, 1)"
  await env.DB.prepare(rule).run()
  await seedModule({ orgId: 'org_with_module' })
  const { id } = await seedModule({ orgId: 'org_with_deleted', status: 'READY' })
  const { deps } = openDriver()
  await deleteModule({ ...deps, nowMs: () => nowMs }, { ...OWNER, orgId: 'org_with_deleted' }, id)
  await env.DB.prepare(
    `INSERT INTO collections (id, user_id, org_id, title, created_at, updated_at) VALUES ('c', 'u', ?, 'C', 1, 1)`,
  )
    .bind('org_with_collection')
    .run()
  await plant('org_ended_with_rules', nowMs - MONTH - 1)
  await env.DB.exec("UPDATE glossaries SET shows_effort = 1 WHERE org_id = 'org_ended_with_rules'")
  await env.DB.exec("UPDATE glossaries SET matrix_key_hash = 'key of ' || org_id WHERE words = 'Valve'")
  const { glossaries } = await sweepHere({ ...deps, nowMs: () => nowMs })
  expect(glossaries).toBe(1)
  const left = ['org_new', 'org_with_collection', 'org_with_deleted', 'org_with_module']
  for (const kept of [
    "glossaries WHERE words = 'Valve' AND shows_effort = 0",
    "webhooks WHERE secret = 'whsec_valve'",
    "glossaries WHERE matrix_key_hash LIKE 'key of %'",
  ]) {
    const { results } = await env.DB.prepare(`SELECT org_id FROM ${kept} ORDER BY org_id`).all()
    expect(results.map((row) => row['org_id'])).toEqual(left)
  }
  const { results } = await env.DB.prepare('SELECT org_id FROM glossaries WHERE password_minutes = 30').all()
  expect(results).toEqual([{ org_id: 'org_with_rule' }])
})

it('removes what waits at an address that was stopped a week ago, and neither other events nor mails', async () => {
  const DAY = 24 * HOUR
  const nowMs = Math.ceil(Date.now() / HOUR) * HOUR
  const webhook = "INSERT INTO webhooks (org_id, url, secret, stopped_at, updated_at) VALUES (?, 'u', 's', ?, 0)"
  const notice = `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, next_attempt_at)
    VALUES ('notice', ?, 'notify', 0, ?)`
  const plant = (orgId: string, stoppedAt: number | null) =>
    env.DB.batch([
      env.DB.prepare(webhook).bind(orgId, stoppedAt),
      ...['event', 'mail'].map((channel) => env.DB.prepare(notice).bind(`${orgId}/${channel}/x`, nowMs + DAY)),
    ])
  await plant('org_stopped_long', nowMs - 7 * DAY - 1)
  await plant('org_stopped', nowMs - 7 * DAY)
  await plant('org_told', null)
  await sweepHere({ ...openDriver().deps, nowMs: () => nowMs })
  const left = env.DB.prepare("SELECT subject_id AS id FROM task_queue WHERE subject_id LIKE '%/x' ORDER BY 1")
  expect((await left.all()).results.map(({ id }) => id)).toEqual([
    'org_stopped/event/x',
    'org_stopped/mail/x',
    'org_stopped_long/mail/x',
    'org_told/event/x',
    'org_told/mail/x',
  ])
})
