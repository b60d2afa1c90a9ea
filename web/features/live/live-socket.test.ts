import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ROOM_FULL_CODE } from '#contract/limits.ts'
import { LiveEvent } from '#contract/live.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { makeLiveUrl, openLiveSocket } from './live-socket.ts'

/** Longer than the first back-off, shorter than the time a new connection has to open. */
const AFTER_RECONNECT_MS = 2_000

const event = (seq: number, progress: number): LiveEvent => ({
  seq,
  kind: 'module',
  status: 'PROCESSING',
  progress,
  message: 'Listening',
  stepsVersion: 0,
  segmentCount: 0,
})

let close: () => void
let tickets: number
const reported: LiveEvent[] = []
const readEvent = (json: unknown) => LiveEvent.safeParse(json).data ?? null

function connection(index: number): FakeSocket {
  const found = FakeSocket.all[index]
  if (found === undefined) throw new Error(`connection ${index} was not made`)
  return found
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.all.length = 0
  reported.length = 0
  tickets = 0
  close = openLiveSocket({
    moduleId: 'm 1',
    loadTicket: async () => `ticket-${++tickets}`,
    readEvent,
    onEvent: (update) => reported.push(update),
  })
  await vi.advanceTimersByTimeAsync(10)
  connection(0).open()
})

afterEach(() => {
  close()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('openLiveSocket', () => {
  test('passes on events of the module and ignores everything else', async () => {
    connection(0).receive('pong')
    connection(0).receive('{ not json')
    connection(0).receive({ seq: 1, kind: 'something newer' })
    connection(0).receive(event(2, 30))
    await vi.advanceTimersByTimeAsync(100)
    expect(reported).toEqual([event(2, 30)])
  })

  test('tries no other socket once the room is full: the page asks anyway', { tags: 'attack-31' }, async () => {
    connection(0).drop(ROOM_FULL_CODE)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.all).toHaveLength(1)
  })

  test('shows only the newest of a replayed burst', async () => {
    for (const [seq, progress] of [
      [1, 10],
      [2, 40],
      [3, 100],
    ] as const)
      connection(0).receive(event(seq, progress))
    await vi.advanceTimersByTimeAsync(100)
    expect(reported).toEqual([event(3, 100)])
  })

  test('reconnects soon with a new ticket and the cursor, and drops what it has seen', {
    tags: ['guarantee-G6', 'fault-30'],
  }, async () => {
    connection(0).receive(event(7, 30))
    await vi.advanceTimersByTimeAsync(100)
    connection(0).drop()
    await vi.advanceTimersByTimeAsync(AFTER_RECONNECT_MS)
    expect(connection(1).url).toBe(makeLiveUrl('m 1', 'ticket-2', 7))
    connection(1).open()
    connection(1).receive(event(7, 30))
    connection(1).receive(event(8, 50))
    await vi.advanceTimersByTimeAsync(100)
    expect(reported).toEqual([event(7, 30), event(8, 50)])
  })

  test('keeps trying when tickets are refused', async () => {
    close()
    let refusals = 0
    close = openLiveSocket({
      moduleId: 'm1',
      loadTicket: () => {
        refusals += 1
        return Promise.reject(new Error('unavailable'))
      },
      readEvent,
      onEvent: (update) => reported.push(update),
    })
    await vi.advanceTimersByTimeAsync(20_000)
    // From 0.5 s up to 5 s between attempts, or half of that.
    expect(refusals).toBeGreaterThanOrEqual(7)
    expect(refusals).toBeLessThanOrEqual(12)
  })

  test('waits longer after each loss, and the shortest time again once it has received something', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const pauses: number[] = []
    for (const index of [0, 1, 2, 3, 4]) {
      if (index === 3) {
        connection(index).open()
        connection(index).receive('pong')
      }
      connection(index).drop()
      const lostMs = Date.now()
      while (FakeSocket.all.length === index + 1) await vi.advanceTimersByTimeAsync(500)
      pauses.push(Date.now() - lostMs)
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 500, 1_000])
  })

  test('pings, and reconnects when no answer comes', async () => {
    await vi.advanceTimersByTimeAsync(25_000)
    expect(connection(0).sent).toEqual(['ping'])
    connection(0).receive('pong')
    await vi.advanceTimersByTimeAsync(24_000)
    expect(FakeSocket.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000 + 10_000 + AFTER_RECONNECT_MS)
    expect(FakeSocket.all.length).toBeGreaterThan(1)
  })

  test('replaces a connection that does not open', async () => {
    connection(0).drop()
    await vi.advanceTimersByTimeAsync(AFTER_RECONNECT_MS + 10_000 + AFTER_RECONNECT_MS)
    expect(connection(1).readyState).toBe(FakeSocket.CLOSED)
    expect(FakeSocket.all.length).toBeGreaterThan(2)
  })

  test('ends for good when it is closed', async () => {
    connection(0).receive(event(1, 20))
    close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reported).toEqual([])
    expect(FakeSocket.all).toHaveLength(1)
  })
})

describe('makeLiveUrl', () => {
  test('contains the module, the ticket and the cursor', () => {
    expect(makeLiveUrl('a/b', 't&1', 12)).toBe('ws://localhost:3000/api/modules/a%2Fb/live?ticket=t%261&cursor=12')
  })
})
