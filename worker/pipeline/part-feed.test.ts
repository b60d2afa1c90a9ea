import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '#worker/db/db.ts'
import type { Doorbell } from '#worker/domain/run/doorbell.ts'
import { listPartsBetween, type NewPart } from '#worker/domain/run/part-store.ts'
import { openChunkFeed } from './ingest.ts'

const ID = { moduleId: 'fed', run: 1 }

function partOf(part: number): NewPart {
  const [startMs, endMs] = [part * 30_000, (part + 1) * 30_000]
  const audio = { audioStartMs: startMs, audioDurationMs: 32_500, sizeBytes: 500_000, contentType: 'audio/mp4' }
  return { ...ID, part, key: `parts/fed/1/${part}`, startMs, endMs, ...audio }
}

function openFeed(rung: Doorbell[], d1 = env.DB) {
  const queue = { send: async (bell: Doorbell) => void rung.push(bell) } as unknown as Queue
  const queues = { ingest: queue, transcribe: queue, write_steps: queue }
  return openChunkFeed({ d1, queues, nowMs: () => 1 }, ID)
}

const countTasks = () => env.DB.prepare("SELECT count(*) AS n FROM tasks WHERE module_id = 'fed'").first<number>('n')

it('hands on the first chunk at once and gathers the rest, however many come together', async () => {
  const rung: Doorbell[] = []
  const feed = openFeed(rung)
  feed.add(partOf(0))
  await expect.poll(() => rung).toEqual([{ kind: 'transcribe' }])
  expect(await countTasks()).toBe(1)
  for (let part = 1; part < 60; part++) feed.add(partOf(part))
  await feed.end()
  expect(rung.length).toBeLessThan(5)
  expect(await listPartsBetween(openDb(env.DB), ID, 0, 99)).toHaveLength(60)
  expect(await countTasks()).toBe(60)
})

it('ends with what went wrong', async () => {
  const feed = openFeed([], {
    prepare: () => {
      throw new Error('no database')
    },
  } as unknown as D1Database)
  feed.add(partOf(0))
  await expect(feed.end()).rejects.toThrow('no database')
  expect(() => feed.add(partOf(1))).toThrow('no database')
})
