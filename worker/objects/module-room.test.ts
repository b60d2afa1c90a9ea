import { createExecutionContext, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { ModuleAnswer } from '#contract/module.ts'
import { localServices } from '#local/local-services.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { seedCaptions, seedDeletion, seedModule } from '#local/testing/modules.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { type Announcement, publishModule } from '#worker/domain/live/publish.ts'
import { findModule, updateModule } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { reportRun } from '#worker/domain/run/run-store.ts'
import { failRun } from '#worker/domain/run/start-run.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { CHECKS_MAX, WATCH_EVERY_MS } from '#worker/pipeline/recover.ts'
import { openDriver, seedRun } from '#worker/pipeline/testing/drive.ts'
import { EVENTS_KEPT_MS, type ModuleRoom } from './module-room.ts'

const MINUTE = 60_000
const DB = openDb(env.DB)
const HEADERS = { upgrade: 'websocket', origin: 'http://localhost:8787' }

function roomOf(moduleId: string): DurableObjectStub<ModuleRoom> {
  return env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(moduleId)) as unknown as DurableObjectStub<ModuleRoom>
}

function publish(moduleId: string): Promise<void> {
  return publishModule({ db: DB, rooms: env.MODULE_ROOM }, moduleId)
}

function alarmOf(moduleId: string): Promise<number | null> {
  return runInDurableObject(roomOf(moduleId), (_, state) => state.storage.getAlarm())
}

/** The room of a module that is not in progress only waits until it forgets its events. */
async function expectUnwatched(moduleId: string): Promise<void> {
  expect(await alarmOf(moduleId)).toBeGreaterThan(Date.now() + EVENTS_KEPT_MS - MINUTE)
}

interface Watcher {
  events: LiveEvent[]
  isClosed: boolean
  closed: Promise<unknown>
  socket: WebSocket
}

async function watch(moduleId: string, cursor = 0): Promise<Watcher> {
  const path = `/api/modules/${moduleId}/live-ticket`
  const { ticket } = await answerOf(LiveTicketAnswer, path, { as: `user_${nanoid(8)}`, method: 'POST' })
  const address = `/api/modules/${moduleId}/live?cursor=${cursor}&ticket=${ticket}`
  const socket = (await call(address, { headers: HEADERS })).webSocket as WebSocket
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
  const watcher: Watcher = { events: [], isClosed: false, closed, socket }
  socket.addEventListener('message', ({ data }) => {
    watcher.events.push(LiveEvent.parse(JSON.parse(data as string)))
  })
  socket.addEventListener('close', () => {
    watcher.isClosed = true
  })
  socket.accept()
  return watcher
}

/** A captioned module whose first message got lost; recovering its tasks makes it READY. */
async function lost(): Promise<RunId> {
  const id = await seedRun(20_000, { userId: `user_${crypto.randomUUID()}`, updatedAt: Date.now() })
  const text = 'Open the lid and take the old filter out of its frame.'
  await seedCaptions(id.moduleId, [{ startMs: 0, endMs: 15_000, text, confidence: null }])
  await publish(id.moduleId)
  return id
}

async function growQuiet({ moduleId }: RunId, redrives = 0): Promise<void> {
  await updateModule(DB, moduleId, { updatedAt: Date.now() - 20 * MINUTE, redrives })
}

function becomesReady({ moduleId }: RunId): Promise<void> {
  return vi.waitFor(async () => expect(await findModule(DB, moduleId)).toMatchObject({ status: 'READY' }), 10_000)
}

describe('the watchdog of a module', () => {
  it('is set while the module is worked on, within the time that it may be silent', async () => {
    const working = await seedModule()
    await publish(working.id)
    const alarm = (await alarmOf(working.id)) ?? 0
    expect(alarm).toBeGreaterThan(Date.now())
    expect(alarm).toBeLessThanOrEqual(Date.now() + WATCH_EVERY_MS)
    const ended = await seedModule({ status: 'READY' })
    await publish(ended.id)
    expect(await alarmOf(ended.id)).toBeGreaterThan(Date.now() + EVENTS_KEPT_MS - MINUTE)
  })

  it('is set while a READY module is made again, too, until that has ended', async () => {
    const { id } = await seedModule({ status: 'READY', runStatus: 'PROCESSING', updatedAt: Date.now() })
    await publish(id)
    expect(await alarmOf(id)).toBeLessThanOrEqual(Date.now() + WATCH_EVERY_MS)
    await updateModule(DB, id, { runStatus: 'FAILED' })
    await runDurableObjectAlarm(roomOf(id))
    await expectUnwatched(id)
  })

  it('rings for what was lost, and the module becomes READY', async () => {
    const id = await lost()
    await growQuiet(id)
    expect(await runDurableObjectAlarm(roomOf(id.moduleId))).toBe(true)
    await becomesReady(id)
    expect(await alarmOf(id.moduleId)).toBeLessThanOrEqual(Date.now() + WATCH_EVERY_MS)
    await runDurableObjectAlarm(roomOf(id.moduleId))
    await expectUnwatched(id.moduleId)
  })

  it('leaves a module alone whose task is in progress, and checks again when its lease may be lost', async () => {
    const id = await lost()
    const leaseUntil = Date.now() + WATCH_EVERY_MS / 2
    const lease = env.DB.prepare(
      "UPDATE task_queue SET lease_id = 'other', lease_until = ?2 WHERE subject_id GLOB ?1 || '*'",
    )
    await lease.bind(id.moduleId, leaseUntil).run()
    const before = await findModule(DB, id.moduleId)
    await runDurableObjectAlarm(roomOf(id.moduleId))
    expect(await findModule(DB, id.moduleId)).toEqual(before)
    expect(Math.abs(((await alarmOf(id.moduleId)) ?? 0) - leaseUntil)).toBeLessThan(WATCH_EVERY_MS / 4)
  })

  it('does no harm when it fires twice, one after the other or at once', { tags: 'fault-34' }, async () => {
    const id = await lost()
    await growQuiet(id)
    await runInDurableObject(roomOf(id.moduleId), (room) => Promise.all([room.alarm(), room.alarm()]))
    await runDurableObjectAlarm(roomOf(id.moduleId))
    await becomesReady(id)
    const steps = await listSteps(DB, id.moduleId)
    expect(steps.map((step) => step.position)).toEqual(steps.map((_, index) => index))
    expect(await findModule(DB, id.moduleId)).toMatchObject({ run: 1 })
  })

  it('still looks after the object was evicted', async () => {
    const id = await lost()
    await growQuiet(id)
    await evictDurableObject(roomOf(id.moduleId))
    expect(await runDurableObjectAlarm(roomOf(id.moduleId))).toBe(true)
    await becomesReady(id)
  })

  it('ends a module without a heartbeat, and notifies its watchers', { tags: 'guarantee-G2' }, async () => {
    const id = await lost()
    const { events } = await watch(id.moduleId)
    await growQuiet(id, CHECKS_MAX)
    await runDurableObjectAlarm(roomOf(id.moduleId))
    expect(await findModule(DB, id.moduleId)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
    await vi.waitFor(() => expect(events.at(-1)?.status).toBe('FAILED'))
    await runDurableObjectAlarm(roomOf(id.moduleId))
    await expectUnwatched(id.moduleId)
  })

  it('ends with a module that is deleted', async () => {
    const id = await lost()
    await seedDeletion(id.moduleId, Date.now())
    await runDurableObjectAlarm(roomOf(id.moduleId))
    await expectUnwatched(id.moduleId)
  })

  it('looks again after a look that broke off', async () => {
    const id = await lost()
    await runInDurableObject(roomOf(id.moduleId), async (room) => {
      withDatabase(
        room,
        faultyD1(env.DB, () => 'not done'),
      )
      await expect(room.alarm()).rejects.toThrow()
      withDatabase(room, env.DB)
    })
    expect(await alarmOf(id.moduleId)).toBeGreaterThan(Date.now())
  })

  it('keeps an eye on a run that begins while it finds the last one ended', async () => {
    const id = await lost()
    await failRun(openContext(env), id, { code: 'gave_up', reason: 'Gave up' })
    await runInDurableObject(roomOf(id.moduleId), async (room) => {
      const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const late = faultyD1(env.DB, () => null)
      const prepare = late.prepare.bind(late)
      late.prepare = (query) => {
        late.prepare = prepare
        return delayed(prepare(query), { onRead: read.resolve, until: answered.promise })
      }
      withDatabase(room, late)
      const looking = room.alarm()
      await read.promise
      await updateModule(DB, id.moduleId, { status: 'PROCESSING', runStatus: 'PROCESSING', run: 2, progress: 10 })
      await room.publish({ ...STATE, status: 'PROCESSING', progress: 10 }, { ...id, run: 2 })
      answered.resolve()
      await looking
      withDatabase(room, env.DB)
    })
    expect(await alarmOf(id.moduleId)).toBeLessThanOrEqual(Date.now() + WATCH_EVERY_MS)
  })
})

describe('the events of a room', () => {
  const countEvents = (moduleId: string) =>
    runInDurableObject(roomOf(moduleId), (_, { storage }) => storage.sql.exec('SELECT seq FROM log').toArray().length)
  /** Lets the alarm come so much later than it is now. */
  const alarmIn = (moduleId: string, ms: number) =>
    runInDurableObject(roomOf(moduleId), async (room) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
      try {
        await room.alarm()
      } finally {
        vi.useRealTimers()
      }
    })

  it('the events of a room are forgotten a day after its run has ended, not before', async () => {
    const id = await lost()
    await failRun(openContext(env), id, { code: 'gave_up', reason: 'Gave up' })
    const before = await countEvents(id.moduleId)
    expect(before).toBeGreaterThan(1)
    await runDurableObjectAlarm(roomOf(id.moduleId))
    await expectUnwatched(id.moduleId)
    await alarmIn(id.moduleId, EVENTS_KEPT_MS - MINUTE)
    expect(await countEvents(id.moduleId)).toBe(before)
    await alarmIn(id.moduleId, EVENTS_KEPT_MS + MINUTE)
    expect(await countEvents(id.moduleId)).toBe(0)
    expect(await alarmOf(id.moduleId)).toBeNull()
  })

  it('the events of a room stay for a day after the last edit, and while a run is in progress', async () => {
    const { id } = await seedModule({ status: 'READY' })
    await publish(id)
    await updateModule(DB, id, { runStatus: 'PROCESSING', updatedAt: Date.now() })
    await publish(id)
    await alarmIn(id, EVENTS_KEPT_MS + MINUTE)
    expect(await countEvents(id)).toBeGreaterThan(0)
  })

  it('the events of a room are numbered on afterwards, so that a page with an old cursor misses nothing', async () => {
    const { id } = await seedModule({ status: 'READY' })
    await publish(id)
    const { events } = await watch(id)
    await vi.waitFor(() => expect(events).toHaveLength(1))
    const cursor = events[0]?.seq ?? 0
    await alarmIn(id, EVENTS_KEPT_MS + MINUTE)
    const watcher = await watch(id, cursor)
    await updateModule(DB, id, { stepsVersion: 5 })
    await publish(id)
    await vi.waitFor(() => expect(watcher.events).toMatchObject([{ seq: cursor + 1, stepsVersion: 5 }]))
  })
})

const STATE = { kind: 'module', message: '', stepsVersion: 0, segmentCount: 0 } as const

function withDatabase(room: ModuleRoom, DB: D1Database): void {
  Object.assign(room, { env: { ...env, DB } })
}

/** A statement that reads at once and answers later. */
function delayed(
  statement: D1PreparedStatement,
  at: { onRead: () => void; until: Promise<void> },
): D1PreparedStatement {
  const raw = async () => {
    const answer = await statement.raw()
    at.onRead()
    await at.until
    return answer
  }
  const bind = (...values: unknown[]) => delayed(statement.bind(...values), at)
  return { bind, raw } as unknown as D1PreparedStatement
}

describe('the object is evicted during a run with 50 watchers', { tags: 'fault-30' }, () => {
  it('ends their sockets; they come back with their cursor and miss nothing, the end least of all', async () => {
    const { id } = await seedModule()
    const report = async (progress: number) => {
      await reportRun(DB, { moduleId: id, run: 1, nowMs: Date.now() }, { progress })
      await publish(id)
    }
    const before = await Promise.all(Array.from({ length: 50 }, () => watch(id)))
    await report(20)
    await vi.waitFor(() => expect(before.every(({ events }) => events.length === 1)).toBe(true))
    await evictDurableObject(roomOf(id), { webSockets: 'close' })
    await Promise.all(before.map(({ closed }) => closed))
    await report(60)
    await updateModule(DB, id, { status: 'READY', runStatus: 'READY', progress: 100, stepsVersion: 1 })
    await publish(id)
    const after = await Promise.all(before.map(({ events }) => watch(id, events.at(-1)?.seq)))
    await vi.waitFor(() => {
      for (const { events } of after) expect(events.map(({ progress }) => progress)).toEqual([60, 100])
    })
    for (const { events } of after) expect(events.at(-1)?.status).toBe('READY')
  })
})

describe('the object is overloaded', { tags: 'fault-31' }, () => {
  const overloaded = () => {
    throw Object.assign(new Error('Durable Object is overloaded. Too many requests queued.'), { overloaded: true })
  }
  const rooms = {
    idFromName: (name: string) => env.MODULE_ROOM.idFromName(name),
    get: () => ({ publish: overloaded, fetch: overloaded, endWatching: overloaded }),
  } as unknown as Env['MODULE_ROOM']

  it('the run goes on, and who asks for the module sees how far', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const driver = openDriver()
    driver.deps.rooms = rooms
    const as = `user_${crypto.randomUUID()}`
    const id = await seedRun(MINUTE, { userId: as })
    // Without its turn no consumer that earlier tests have woken up claims its tasks.
    const setTurn = env.DB.prepare('UPDATE runs SET admitted_at = ?2 WHERE module_id = ?1')
    await setTurn.bind(id.moduleId, null).run()
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.deliver([0, 1, 2].map((index) => ({ kind: 'transcribe' as const, ...id, index })))
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id.moduleId}`, { as })
    expect(module.progress).toBeGreaterThan(10)
    await setTurn.bind(id.moduleId, 0).run()
    await driver.drain()
    await becomesReady(id)
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ event: 'publish_failed' }))
    warned.mockRestore()
  })

  it('a call that needs the object is answered with 503 and when to come back', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { id } = await seedModule()
    const path = `/api/share/${id}/live-ticket`
    const { ticket } = await answerOf(LiveTicketAnswer, path, { method: 'POST' })
    const request = new Request(`http://localhost:8787/api/modules/${id}/live?ticket=${ticket}`, { headers: HEADERS })
    const away = { ...env, MODULE_ROOM: rooms }
    const response = await createWorker(localServices).fetch(request, away, createExecutionContext())
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    warned.mockRestore()
  })
})

describe('a watcher whose socket takes nothing any more', { tags: 'fault-32' }, () => {
  it('is dropped, and the other watchers are notified all the same', async () => {
    const { id } = await seedModule()
    const [one, two, three] = await Promise.all([watch(id), watch(id), watch(id)])
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await runInDurableObject(roomOf(id), async (room, state) => {
      const sockets = state.getWebSockets()
      const [, slow] = sockets
      Object.assign(slow ?? {}, {
        send: () => {
          throw new Error('WebSocket buffer is full')
        },
      })
      const listed = vi.spyOn(state, 'getWebSockets').mockImplementation((kind) => (kind === 'viewer' ? sockets : []))
      await room.publish({ ...STATE, status: 'PROCESSING', progress: 20 }, { moduleId: id, run: 1 })
      listed.mockRestore()
    })
    const watchers = [one, two, three]
    await vi.waitFor(() => expect(watchers.filter(({ events }) => events.length === 1)).toHaveLength(2))
    await vi.waitFor(() => expect(watchers.filter(({ isClosed }) => isClosed)).toHaveLength(1))
    expect(linesWhere(warned, ({ event }) => event.startsWith('socket_'))).toHaveLength(1)
    warned.mockRestore()
  })
})

describe('progress arrives out of order', { tags: 'fault-33' }, () => {
  const states = Array.from({ length: 12 }, (_, n): [Announcement, number] => {
    const run = n < 6 ? 1 : 2
    const isEnd = n % 6 === 5
    const progress = isEnd ? 100 : 10 + (n % 6) * 15
    return [{ ...STATE, status: isEnd ? 'READY' : 'PROCESSING', progress, stepsVersion: Math.floor(n / 3) }, run]
  })

  it('percent, version and run never go backwards, whatever the order, and the newest state is published', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(states, { minLength: 12 }), async (shuffled) => {
        const { id } = await seedModule()
        const { events } = await watch(id)
        for (const [announcement, run] of shuffled) await roomOf(id).publish(announcement, { moduleId: id, run })
        await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ stepsVersion: 3, progress: 100 }))
        const rank = ({ stepsVersion, progress }: LiveEvent) => stepsVersion * 1000 + progress
        expect(events.map(rank)).toEqual(events.map(rank).toSorted((a, b) => a - b))
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
      }),
      { numRuns: 8 },
    )
  })

  it('percent only grows in the database too, where every page reads it', async () => {
    const { id } = await seedModule({ progress: 10 })
    for (const progress of [40, 25, 60, 59]) {
      await reportRun(DB, { moduleId: id, run: 1, nowMs: 1 }, { progress })
    }
    expect((await findModule(DB, id))?.progress).toBe(60)
  })
})
