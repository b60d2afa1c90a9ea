import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#contract/live.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { watchModule } from './watch-module.ts'

const events: LiveEvent[] = []
let stop: () => void
let tickets = 0
let hasTickets = true

function event(seq: number) {
  return { seq, kind: 'module', status: 'PROCESSING', progress: seq, message: '', stepsVersion: 0, segmentCount: 0 }
}

function connection(index: number): FakeSocket {
  const found = FakeSocket.all[index]
  if (found === undefined) throw new Error(`connection ${index} was not made`)
  return found
}

beforeEach(async () => {
  vi.useFakeTimers()
  FakeSocket.all.length = 0
  events.length = 0
  tickets = 0
  hasTickets = true
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', async () =>
    hasTickets ? Response.json({ ticket: `ticket-${++tickets}` }) : new Response('', { status: 503 }),
  )
  stop = watchModule('m1', (update) => events.push(update))
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(10)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('watchModule', () => {
  test('delivers the newest event of a burst, and ignores other messages', async () => {
    for (const data of ['pong', '{ not json', { seq: 9, kind: 'something newer' }, event(1), event(2), event(1)]) {
      connection(0).receive(data)
    }
    await vi.advanceTimersByTimeAsync(100)
    expect(events).toEqual([event(2)])
    connection(0).receive(event(3))
    await vi.advanceTimersByTimeAsync(100)
    expect(events).toEqual([event(2), event(3)])
  })

  test('reconnects with a new ticket and its cursor', async () => {
    connection(0).receive(event(4))
    connection(0).drop()
    await vi.advanceTimersByTimeAsync(600)
    expect(new URL(connection(1).url).search).toBe('?ticket=ticket-2&cursor=4')
  })

  test('retries while there is no ticket, at least every five seconds', async () => {
    hasTickets = false
    connection(0).drop()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(FakeSocket.all).toHaveLength(1)
    hasTickets = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  test.each([1000, 1013])(
    'tries no other socket after the close code %i: the page asks anyway',
    { tags: 'attack-31' },
    async (code) => {
      connection(0).drop(code)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(FakeSocket.all).toHaveLength(1)
      expect(tickets).toBe(1)
    },
  )

  test('asks for no other ticket after the answer 409, which means that the module is not in progress', {
    tags: 'attack-32',
  }, async () => {
    const asked = vi.fn(async () => new Response('', { status: 409 }))
    vi.stubGlobal('fetch', asked)
    connection(0).drop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveBeenCalledTimes(1)
    expect(FakeSocket.all).toHaveLength(1)
  })

  test('delivers no event after it is stopped', async () => {
    connection(0).receive(event(1))
    stop()
    expect(connection(0).readyState).toBe(FakeSocket.CLOSED)
    connection(0).drop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(events).toEqual([])
    expect(FakeSocket.all).toHaveLength(1)
  })
})
