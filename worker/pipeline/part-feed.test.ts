import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import { listPartsBetween, type NewPart } from '#worker/domain/run/part-store.ts'
import { openPartFeed } from './part-feed.ts'

const ID = { moduleId: 'fed', run: 1 }

function partOf(part: number): NewPart {
  const [startMs, endMs] = [part * 30_000, (part + 1) * 30_000]
  const audio = { audioStartMs: startMs, audioDurationMs: 32_500, sizeBytes: 500_000, contentType: 'audio/mp4' }
  return { ...ID, part, key: `parts/fed/1/${part}`, startMs, endMs, ...audio }
}

function feedTo(sent: number[][]) {
  const sendBatch = async (messages: Iterable<{ body: { part: number } }>) => {
    sent.push([...messages].map(({ body }) => body.part))
  }
  const queues = { speech: { sendBatch } } as unknown as Parameters<typeof openPartFeed>[0]['queues']
  return openPartFeed({ db: openDb(env.DB), queues })
}

it('hands on the first part at once and gathers the rest, however many come together', async () => {
  const sent: number[][] = []
  const feed = feedTo(sent)
  feed.add(partOf(0))
  await expect.poll(() => sent).toEqual([[0]])
  for (let part = 1; part < 60; part++) feed.add(partOf(part))
  await feed.end()
  expect(sent.flat()).toEqual(Array.from({ length: 60 }, (_, part) => part))
  expect(sent.length).toBeLessThan(5)
  expect(await listPartsBetween(openDb(env.DB), ID, 0, 99)).toHaveLength(60)
})

it('ends with what went wrong', async () => {
  const queues = { speech: { sendBatch: async () => Promise.reject(new Error('no queue')) } }
  const feed = openPartFeed({ db: openDb(env.DB), queues: queues as never })
  feed.add(partOf(0))
  await expect(feed.end()).rejects.toThrow('no queue')
  expect(() => feed.add(partOf(1))).toThrow('no queue')
})
