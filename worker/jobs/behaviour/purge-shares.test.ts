// Behaviour: purging shared pages: now, later by a queue, and from the cache of an entrypoint.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { workersCache } from '#worker/adapters/cloud-services.ts'
import type { PurgeMessage } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { forgetShareNow, forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { purgeShares } from '../consume-queues.ts'

function fakeEdge({ fails = 0 } = {}): EdgeCache & { purged: string[][] } {
  let left = fails
  const purged: string[][] = []
  return {
    purged,
    purge: async (tags) => {
      if (left-- > 0) throw new AppError('unavailable', 'rate limited')
      purged.push([...tags])
    },
  }
}

function fakeQueue() {
  const sent: PurgeMessage[] = []
  return { sent, send: async (message: PurgeMessage) => void sent.push(message) } as unknown as {
    sent: PurgeMessage[]
    send: Queue<PurgeMessage>['send']
  }
}

function batchOf(bodies: unknown[]) {
  return createMessageBatch(
    'adapt-purges',
    bodies.map((body, at) => ({ id: String(at), timestamp: new Date(0), attempts: 1, body })),
  )
}

describe('purgeShares', () => {
  it('purges once for all saves that came together, each module once', async () => {
    const edge = fakeEdge()
    const batch = batchOf([...Array(15).fill({ moduleId: 'a' }), { moduleId: 'b' }, 'nonsense'])
    await purgeShares(batch, edge)
    expect(edge.purged).toEqual([['share-a', 'share-b']])
    expect((await getQueueResult(batch, createExecutionContext())).ackAll).toBe(true)
  })

  it('tries a purge that failed again', { tags: 'fault-41' }, async () => {
    const batch = batchOf([{ moduleId: 'a' }])
    await purgeShares(batch, fakeEdge({ fails: 1 }))
    const result = await getQueueResult(batch, createExecutionContext())
    expect(result.ackAll).toBe(false)
    expect(result.retryBatch).toMatchObject({ retry: true })
  })
})

describe('forgetShareNow', () => {
  it('purges at once', async () => {
    const [edge, purges] = [fakeEdge(), fakeQueue()]
    await forgetShareNow({ edge, purges }, 'a')
    expect([edge.purged, purges.sent]).toEqual([[['share-a']], []])
  })

  it('puts a purge that failed into the queue, and fails nothing', { tags: 'fault-41' }, async () => {
    const [edge, purges] = [fakeEdge({ fails: 1 }), fakeQueue()]
    await forgetShareNow({ edge, purges }, 'a')
    expect(purges.sent).toEqual([{ moduleId: 'a' }])
  })

  it('fails nothing when the queue is away as well', async () => {
    const purges = { send: () => Promise.reject(new Error('away')) }
    await expect(forgetShareNow({ edge: fakeEdge({ fails: 1 }), purges }, 'a')).resolves.toBeUndefined()
    await expect(forgetShareSoon({ purges }, 'a')).resolves.toBeUndefined()
  })
})

describe('workersCache', () => {
  const cacheOf = (answer: CachePurgeResult, calls: CachePurgeOptions[] = []) =>
    ({ purge: async (options: CachePurgeOptions) => (calls.push(options), answer) }) as unknown as CacheContext

  it('purges at most a hundred tags in a call', async () => {
    const calls: CachePurgeOptions[] = []
    const tags = Array.from({ length: 101 }, (_, at) => `share-${at}`)
    await workersCache(cacheOf({ success: true, errors: [] }, calls)).purge(tags)
    expect(calls.map((call) => call.tags?.length)).toEqual([100, 1])
  })

  it('says so when the account may not purge any more, or there is no cache', async () => {
    const refused = cacheOf({ success: false, errors: [{ code: 1134, message: 'rate limited' }] })
    await expect(workersCache(refused).purge(['share-a'])).rejects.toThrow('1134 rate limited')
    await expect(workersCache(undefined).purge(['share-a'])).rejects.toThrow('there is no cache')
  })
})
