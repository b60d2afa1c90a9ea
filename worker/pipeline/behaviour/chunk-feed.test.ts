// Behaviour: ingest feeds chunks to the recogniser while it still cuts.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Doorbell } from '#worker/core/context.ts'
import { openDb } from '#worker/db/db.ts'
import { listChunksBetween, type NewChunk } from '#worker/domain/run/chunk-store.ts'

import { openChunkFeed } from '../ingest.ts'

const ID = { moduleId: 'fed', run: 1 }

function chunkOf(chunk: number): NewChunk {
  const [startMs, endMs] = [chunk * 30_000, (chunk + 1) * 30_000]
  const audio = { audioStartMs: startMs, audioDurationMs: 32_500, sizeBytes: 500_000, contentType: 'audio/mp4' }
  return { ...ID, chunk, key: `chunks/fed/1/${chunk}`, startMs, endMs, ...audio }
}

function openFeed(rung: Doorbell[], d1 = env.DB) {
  const queue = { send: async (bell: Doorbell) => void rung.push(bell) } as unknown as Queue
  const queues = { ingest: queue, transcribe: queue, write_steps: queue, translate: queue, notify: queue }
  return openChunkFeed({ d1, queues, nowMs: () => 1 }, ID)
}

const countTasks = () =>
  env.DB.prepare("SELECT count(*) AS n FROM task_queue WHERE subject_id GLOB 'fed/*'").first<number>('n')

it('hands on the first chunk at once and gathers the rest, however many come together', async () => {
  const rung: Doorbell[] = []
  const feed = openFeed(rung)
  feed.add(chunkOf(0))
  await expect.poll(() => rung).toEqual([{ kind: 'transcribe' }])
  expect(await countTasks()).toBe(1)
  for (let chunk = 1; chunk < 60; chunk++) feed.add(chunkOf(chunk))
  await feed.end()
  expect(rung.length).toBeLessThan(5)
  expect(await listChunksBetween(openDb(env.DB), ID, 0, 99)).toHaveLength(60)
  expect(await countTasks()).toBe(60)
})

it('ends with what went wrong', async () => {
  const feed = openFeed([], {
    prepare: () => {
      throw new Error('no database')
    },
  } as unknown as D1Database)
  feed.add(chunkOf(0))
  await expect(feed.end()).rejects.toThrow('no database')
  expect(() => feed.add(chunkOf(1))).toThrow('no database')
})
