import { Hono } from 'hono'
import { EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { createSharePage } from '#worker/create-share-page.ts'
import { createTaskRunner } from '#worker/create-task-runner.ts'
import { createWorker } from '#worker/create-worker.ts'
import { readMetrics } from '#worker/domain/learning/read-metrics.ts'
import { idleServices } from '../shared/in-worker/idle-services.ts'
import { multiply, plantModule, reportSample } from './plant-learners.ts'
import { MODULES, type PlantedName } from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

const edge = new EdgeCacheStandIn(() => Date.now())

export class SharePage extends createSharePage(() => edge) {}

export const TaskRunner = createTaskRunner(idleServices)

const worker = createWorker(idleServices)

/** The product itself, and a way for the bench to plant learners. */
const bench = new Hono<{ Bindings: Env }>()
  .post('/api/bench/plant/:name', async (c) => {
    const { id, copies } = MODULES[c.req.param('name') as PlantedName]
    const module = await plantModule(c.env.DB, id)
    await reportSample(c.env.DB, module)
    // Steps are counted from the first look at them on.
    await readMetrics(c.env.DB, module)
    await multiply(c.env.DB, id, copies)
    return c.json({ ok: true })
  })
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
