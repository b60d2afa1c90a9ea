import { Hono } from 'hono'
import { EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { createEdgedSharePage } from '#local/edge/edged-share-page.ts'
import { readyModule } from '#local/testing/ready-module.ts'
import { createTaskRunner } from '#worker/create-task-runner.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { announceModule } from '#worker/domain/live/announce.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { idleServices } from '../shared/in-worker/idle-services.ts'
import { MODULE_ID, STEP_COUNT } from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

const edge = new EdgeCacheStandIn(() => Date.now())
let originRuns = 0

/** Behind the same stand-in of the edge as on a developer's machine; its runs are counted. */
export const SharePage = createEdgedSharePage(edge, () => {
  originRuns += 1
})

export const TaskRunner = createTaskRunner(idleServices)

const worker = createWorker(idleServices)

const bench = new Hono<{ Bindings: Env }>()
  .get('/api/bench/bare', (c) => c.json({ ok: true }))
  .put('/api/bench/video', async (c) => {
    await plantModule(c.env, await c.req.arrayBuffer())
    return c.json({ ok: true })
  })
  .put('/api/bench/poster', async (c) => {
    const contentType = c.req.header('content-type') ?? ''
    await c.env.MEDIA.put(`pictures/${MODULE_ID}/poster`, await c.req.arrayBuffer(), { httpMetadata: { contentType } })
    return c.json({ ok: true })
  })
  .post('/api/bench/cold', async (c) => {
    await edge.purge([`share-${MODULE_ID}`])
    originRuns = 0
    return c.json({ ok: true })
  })
  .get('/api/bench/runs', (c) => c.json({ originRuns }))
  .post('/api/bench/event', async (c) => {
    await c.env.DB.prepare('UPDATE modules SET steps_version = steps_version + 1').run()
    await announceModule({ db: openDb(c.env.DB), rooms: c.env.MODULE_ROOM }, MODULE_ID)
    return c.json({ ok: true })
  })
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

async function plantModule(env: Env, video: ArrayBuffer): Promise<void> {
  const sourceKey = `src/${MODULE_ID}/source`
  const object = await env.MEDIA.put(sourceKey, video)
  const module = readyModule({
    id: MODULE_ID,
    userId: 'user_bench',
    title: 'Change the roll in a label printer',
    filename: 'roll.mp4',
    sourceKey,
    sourceEtag: object?.etag ?? null,
    sourceSizeBytes: video.byteLength,
    durationMs: 60_000,
    hasPoster: true,
    stepsVersion: 1,
  })
  await insertModule(openDb(env.DB), module)
  const steps = Array.from({ length: STEP_COUNT }, (_, index) => ({
    title: `Step number ${index + 1} of what is shown`,
    description: 'Press the latch on the right side and lift the cover all the way up, until you hear a click.',
    start: index * 6,
    end: index * 6 + 6,
  }))
  const headers = { authorization: 'Bearer a.b.c', 'content-type': 'application/json' }
  const request = new Request(`https://bench.local/api/steps/${MODULE_ID}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ steps }),
  })
  const saved = await worker.fetch(request, env, { exports: {} } as unknown as ExecutionContext)
  if (!saved.ok) throw new Error(`The steps were not saved: ${await saved.text()}`)
}

/** The product itself behind the stand-in of the edge, and ways for the bench to plant, purge and count. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
