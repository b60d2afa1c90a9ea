import { Hono } from 'hono'
import { EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { createEdgedSharePage } from '#local/edge/edged-share-page.ts'
import { readyModule } from '#local/testing/ready-module.ts'
import { createTaskRunner } from '#worker/create-task-runner.ts'
import { createTutorRunner } from '#worker/create-tutor-runner.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { NARRATION, saySegments } from '#worker/domain/tutor/testing/narration.ts'
import { idleServicesByToken } from '../shared/in-worker/idle-services.ts'
import { MODULE_COUNT, moduleIdOf, OWNER } from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

const edge = new EdgeCacheStandIn(() => Date.now())

export const SharePage = createEdgedSharePage(edge)

export const TaskRunner = createTaskRunner(idleServicesByToken)

export const TutorRunner = createTutorRunner(idleServicesByToken)

const worker = createWorker(idleServicesByToken)

/** The three editors are one person, who saves faster than hands can. */
const UNLIMITED: RateLimit = { limit: async () => ({ success: true }) }

const bench = new Hono<{ Bindings: Env }>()
  .get('/api/bench/bare', (c) => c.json({ ok: true }))
  .post('/api/bench/plant', async (c) => {
    for (let number = 0; number < MODULE_COUNT; number += 1) await plantModule(c.env, moduleIdOf(number))
    return c.json({ ok: true })
  })
  .get('/api/bench/feedback', async (c) => {
    const { results } = await c.env.DB.prepare('SELECT user_message AS said FROM feedback').all<{ said: string }>()
    return c.json(results.map(({ said }) => said))
  })
  .get('/api/bench/sources', async (c) => {
    const { results } = await c.env.DB.prepare('SELECT id FROM modules WHERE source_etag IS NOT NULL').all<{
      id: string
    }>()
    return c.json(results.map(({ id }) => id))
  })
  .all('*', (c) => worker.fetch(c.req.raw, { ...c.env, CALLER_LIMIT: UNLIMITED }, c.executionCtx as ExecutionContext))

async function plantModule(env: Env, id: string): Promise<void> {
  const module = readyModule({ id, userId: OWNER, durationMs: NARRATION.length * 6_000 })
  await insertModule(openDb(env.DB), module)
  await replaceTranscript(env.DB, id, saySegments(NARRATION))
}

/** The product itself behind the stand-in of the edge, and ways for the bench to plant and to count. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
