// Behaviour: the socket of a module: from the route to the room and back.
import { createExecutionContext, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ROOM_DONE_CODE, ROOM_FULL_CODE } from '#contract/limits.ts'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { Done } from '#contract/module.ts'
import { localServices } from '#local/local-services.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { createApp } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import {
  OWNER_SOCKET_MAX_AGE_MS,
  OWNER_SOCKETS_RESERVED,
  publishModule,
  ROOM_SOCKETS_MAX,
  WATCHER_HEADER,
  type Watcher,
} from '#worker/domain/live/publish.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import type { ModuleRoom } from '#worker/objects/module-room.ts'

/** Anybody with the link receives it: nothing else may be in it. */
const PublicEvent = z.strictObject(LiveEvent.omit({ newVersion: true, danger: true }).shape)

const HEADERS = { upgrade: 'websocket', origin: 'http://localhost:8787' }

async function ticketOf(id: string): Promise<string> {
  return (await answerOf(LiveTicketAnswer, `/api/share/${id}/live-ticket`, { method: 'POST' })).ticket
}

async function ticketFor(as: string, id: string): Promise<string> {
  return (await answerOf(LiveTicketAnswer, `/api/modules/${id}/live-ticket`, { as, method: 'POST' })).ticket
}

async function watch(
  id: string,
  cursor = 0,
  as: string | null = null,
  schema: z.ZodType<LiveEvent> = PublicEvent,
): Promise<{ socket: WebSocket; events: LiveEvent[] }> {
  const ticket = await (as === null ? ticketOf(id) : ticketFor(as, id))
  const response = await call(`/api/modules/${id}/live?cursor=${cursor}&ticket=${ticket}`, {
    headers: HEADERS,
  })
  expect(response.status).toBe(101)
  const socket = response.webSocket as WebSocket
  const events: LiveEvent[] = []
  socket.addEventListener('message', ({ data }) => void events.push(schema.parse(JSON.parse(data as string))))
  socket.accept()
  return { socket, events }
}

async function report(id: string, progress: number): Promise<void> {
  const db = openDb(env.DB)
  await updateModule(db, id, { progress, message: 'Writing the steps' })
  await publishModule({ db, rooms: env.MODULE_ROOM }, id)
}

function seen(events: LiveEvent[], progress: number[]): Promise<void> {
  return vi.waitFor(() => expect(events.map((event) => event.progress)).toEqual(progress))
}

describe('GET /api/modules/{id}/live', () => {
  it('sends the current state to every watcher, once', { tags: 'guarantee-G3' }, async () => {
    const { id } = await seedModule()
    const [one, two] = await Promise.all([watch(id), watch(id)])
    await report(id, 20)
    await report(id, 20)
    await report(id, 30)
    await seen(one.events, [20, 30])
    await seen(two.events, [20, 30])
  })

  it('replays the events after its cursor to a late joiner', async () => {
    const { id } = await seedModule()
    for (const progress of [20, 30, 40]) await report(id, progress)
    const late = await watch(id)
    await seen(late.events, [20, 30, 40])
    const back = await watch(id, late.events[1]?.seq)
    await seen(back.events, [40])
  })

  it('notifies owners alone of how far a new version is, and everyone when it is there', async () => {
    const { id } = await seedModule({ status: 'READY', runStatus: 'PROCESSING', run: 2, stepsVersion: 1 })
    const viewer = await watch(id, 0, 'user_viewer')
    const owner = await watch(id, 0, 'user_owner', LiveEvent)
    for (const progress of [10, 10, 40, 60]) await report(id, progress)
    const versions = (events: LiveEvent[]) => events.map(({ newVersion }) => newVersion?.progress)
    await vi.waitFor(() => expect(versions(owner.events)).toEqual([10, 40, 60]))
    for (const { status, progress } of owner.events)
      expect({ status, progress }).toEqual({ status: 'READY', progress: 100 })
    // A person who comes while it is being made reads nothing of it either.
    const late = await watch(id, 0, 'user_viewer')
    const back = await watch(id, owner.events[1]?.seq, 'user_owner', LiveEvent)
    await vi.waitFor(() => expect(versions(back.events)).toEqual([60]))
    await updateModule(openDb(env.DB), id, { runStatus: 'READY', progress: 100, stepsVersion: 2 })
    await publishModule({ db: openDb(env.DB), rooms: env.MODULE_ROOM }, id)
    await vi.waitFor(() => expect(owner.events.at(-1)).toMatchObject({ stepsVersion: 2 }))
    expect(owner.events.at(-1)?.newVersion).toBeUndefined()
    for (const { events } of [viewer, late]) {
      await vi.waitFor(() => expect(events.map((event) => event.stepsVersion)).toEqual([1, 2]))
    }
  })

  it('tells owners alone of a danger that a learner reports', async () => {
    const { id } = await seedModule({ status: 'READY', stepsVersion: 1, takesReports: true })
    const viewer = await watch(id, 0, 'user_viewer')
    const owner = await watch(id, 0, 'user_owner', LiveEvent)
    for (const kind of ['wrong', 'dangerous']) {
      const json = { id: `a-report-of-what-is-${kind}`, stepId: 'a', kind }
      await answerOf(Done, `/api/step-reports/${id}`, { as: 'user_viewer', json })
    }
    await vi.waitFor(() => expect(owner.events).toMatchObject([{ status: 'READY', danger: true }]))
    expect(viewer.events).toEqual([])
  })

  it('sends everyone what an owner changes while a new version is made, and nothing of that', async () => {
    const { id } = await seedModule({ status: 'READY', runStatus: 'PROCESSING', run: 2, stepsVersion: 1 })
    const viewer = await watch(id, 0, 'user_viewer')
    await report(id, 20)
    await updateModule(openDb(env.DB), id, { stepsVersion: 2 })
    await report(id, 30)
    await report(id, 40)
    await updateModule(openDb(env.DB), id, { runStatus: 'FAILED', lastError: 'No allowance.', failureCode: 'ai_quota' })
    await publishModule({ db: openDb(env.DB), rooms: env.MODULE_ROOM }, id)
    await updateModule(openDb(env.DB), id, { stepsVersion: 3 })
    await publishModule({ db: openDb(env.DB), rooms: env.MODULE_ROOM }, id)
    await vi.waitFor(() => expect(viewer.events.map(({ stepsVersion }) => stepsVersion)).toEqual([1, 2, 3]))
  })

  it('does not send a state that is older than the last one', async () => {
    const { id } = await seedModule()
    const { events } = await watch(id, 0, 'user_viewer')
    const room = env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(id))
    const state = { kind: 'module', message: '', segmentCount: 0 } as const
    const states = [
      [{ ...state, status: 'PROCESSING', progress: 60, stepsVersion: 0 }, 1],
      [{ ...state, status: 'PROCESSING', progress: 35, stepsVersion: 0 }, 1],
      [{ ...state, status: 'FAILED', progress: 60, stepsVersion: 0 }, 1],
      [{ ...state, status: 'PROCESSING', progress: 60, stepsVersion: 0 }, 1],
      [{ ...state, status: 'PROCESSING', progress: 10, stepsVersion: 0 }, 2],
    ] as const
    for (const [announcement, run] of states) await room.publish(announcement, { moduleId: id, run })
    await vi.waitFor(() => expect(events).toHaveLength(3))
    expect(events.map(({ status, progress }) => [status, progress])).toEqual([
      ['PROCESSING', 60],
      ['FAILED', 60],
      ['PROCESSING', 10],
    ])
  })

  it('goes on after the object was evicted', { tags: 'fault-30' }, async () => {
    const { id } = await seedModule()
    const before = await watch(id)
    await report(id, 20)
    await seen(before.events, [20])
    await evictDurableObject(env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(id)), { webSockets: 'close' })
    const after = await watch(id, before.events[0]?.seq)
    await report(id, 30)
    await seen(after.events, [30])
  })

  it('refuses without a ticket, from another site, and a plain request', { tags: 'threat-7' }, async () => {
    const { id } = await seedModule()
    const url = `/api/modules/${id}/live?ticket=${await ticketOf(id)}`
    expect((await problemOf(`/api/modules/${id}/live`, { headers: HEADERS })).code).toBe('unauthenticated')
    const foreign = { ...HEADERS, origin: 'https://evil.example' }
    expect((await problemOf(url, { headers: foreign })).code).toBe('unauthenticated')
    expect((await problemOf(url)).code).toBe('upgrade_required')
  })

  it('ends for everyone when sharing is switched off, and strangers get no new ticket', {
    tags: 'guarantee-G7',
  }, async () => {
    const { id } = await seedModule()
    const ended = (socket: WebSocket) => new Promise((resolve) => socket.addEventListener('close', resolve))
    const watcher = await watch(id)
    const closed = ended(watcher.socket)
    await call(`/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json: { shared: false } })
    await closed
    expect((await problemOf(`/api/share/${id}/live-ticket`, { method: 'POST' })).code).toBe('not_found')
  })

  it('opens no more by a viewer’s ticket from before, and still by one of an owner or a member', {
    tags: 'guarantee-G7',
  }, async () => {
    const { id } = await seedModule({ orgId: 'org_live' })
    const ask = { method: 'POST', as: 'user_owner' }
    const path = `/api/modules/${id}/live-ticket`
    const [link, viewer, owner, member] = await Promise.all([
      ticketOf(id),
      answerOf(LiveTicketAnswer, path, { ...ask, as: 'user_viewer' }).then(({ ticket }) => ticket),
      answerOf(LiveTicketAnswer, path, ask).then(({ ticket }) => ticket),
      answerOf(LiveTicketAnswer, path, { ...ask, as: 'user_member', orgId: 'org_live' }).then(({ ticket }) => ticket),
    ])
    await call(`/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json: { shared: false } })
    const open = (ticket: string) => `/api/modules/${id}/live?ticket=${ticket}`
    for (const ticket of [link, viewer]) {
      expect((await problemOf(open(ticket), { headers: HEADERS })).code).toBe('not_found')
    }
    for (const ticket of [owner, member]) {
      const { status, webSocket } = await call(open(ticket), { headers: HEADERS })
      expect(status).toBe(101)
      webSocket?.accept()
      webSocket?.close()
    }
  })

  it('sends progress to watchers with the link, and closes their sockets at the end of the run', {
    tags: 'attack-32',
  }, async () => {
    const { id } = await seedModule()
    const late = await ticketOf(id)
    const { events, socket } = await watch(id)
    const person = await watch(id, 0, 'user_viewer')
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
    await updateModule(openDb(env.DB), id, { status: 'READY', runStatus: 'READY', progress: 100 })
    await publishModule({ db: openDb(env.DB), rooms: env.MODULE_ROOM }, id)
    expect(await closed).toBe(ROOM_DONE_CODE)
    expect(events.map(({ status }) => status)).toEqual(['READY'])
    await seen(person.events, [100])
    expect((await problemOf(`/api/share/${id}/live-ticket`, { method: 'POST' })).code).toBe('not_in_progress')
    const opened = await problemOf(`/api/modules/${id}/live?ticket=${late}`, { headers: HEADERS })
    expect(opened.code).toBe('not_found')
    const room = env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(id))
    const watchers = () => runInDurableObject(room, (_, state) => state.getWebSockets().length)
    await vi.waitFor(async () => expect(await watchers()).toBe(1))
    person.socket.close()
  })

  it('closes the socket of an owner who has not renewed it for a quarter of an hour, before it gets an event', {
    tags: 'attack-34',
  }, async () => {
    const { id } = await seedModule()
    const [old, young, viewer] = await Promise.all([
      watch(id, 0, 'user_owner'),
      watch(id, 0, 'user_owner'),
      watch(id, 0, 'user_viewer'),
    ])
    const closed = new Promise((resolve) => old.socket.addEventListener('close', resolve))
    const room = env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(id))
    await runInDurableObject(room, (_, state) => {
      const [first] = state.getWebSockets('owner')
      if (first === undefined) throw new Error('no owner is there')
      const { openedAtMs } = first.deserializeAttachment() as { openedAtMs: number }
      first.serializeAttachment({ openedAtMs: openedAtMs - OWNER_SOCKET_MAX_AGE_MS - 1 })
    })
    const either = Promise.race([closed, new Promise((resolve) => young.socket.addEventListener('close', resolve))])
    await report(id, 20)
    await either
    await seen(viewer.events, [20])
    await vi.waitFor(() => expect([...old.events, ...young.events]).toHaveLength(1))
  })

  it('reserves sockets for owners that strangers cannot take, and closes further ones with the reason', {
    tags: 'attack-31',
  }, async () => {
    const { id } = await seedModule()
    const room = env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(id))
    const fill = (watcher: Watcher, count: number) =>
      runInDurableObject(room, (instance) => {
        const request = new Request('http://room/', { headers: { [WATCHER_HEADER]: watcher } })
        for (let at = 0; at < count; at += 1) (instance as ModuleRoom).fetch(request).webSocket?.accept()
      })
    const endOf = async (as: string | null) => {
      const { socket } = await watch(id, 0, as)
      return new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
    }
    const count = () => runInDurableObject(room, (_, state) => state.getWebSockets().length)
    await fill('anyone', ROOM_SOCKETS_MAX - OWNER_SOCKETS_RESERVED)
    expect(await endOf(null)).toBe(ROOM_FULL_CODE)
    expect(await endOf('user_viewer')).toBe(ROOM_FULL_CODE)
    const owner = await watch(id, 0, 'user_owner')
    expect(await count()).toBe(ROOM_SOCKETS_MAX - OWNER_SOCKETS_RESERVED + 1)
    await fill('owner', OWNER_SOCKETS_RESERVED + 50)
    expect(await count()).toBe(ROOM_SOCKETS_MAX)
    await report(id, 20)
    await seen(owner.events, [20])
    await runInDurableObject(room, (instance) => (instance as ModuleRoom).endWatching())
  })

  it('leaves no socket behind that comes at the very moment when sharing is switched off', {
    tags: 'guarantee-G7',
  }, async () => {
    const { id } = await seedModule()
    const ticket = await ticketOf(id)
    const room = env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(id))
    const late = {
      idFromName: (name: string) => env.MODULE_ROOM.idFromName(name),
      get: () => ({
        fetch: async (request: Request) => {
          await call(`/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json: { shared: false } })
          return room.fetch(request)
        },
      }),
    }
    const request = new Request(`http://localhost:8787/api/modules/${id}/live?ticket=${ticket}`, { headers: HEADERS })
    const answer = await createApp(localServices).fetch(
      request,
      { ...env, MODULE_ROOM: late },
      createExecutionContext(),
    )
    expect(answer.status).toBe(404)
    const watchers = () => runInDurableObject(room, (_, state) => state.getWebSockets().length)
    await vi.waitFor(async () => expect(await watchers()).toBe(0))
  })
})
