import { Hono } from 'hono'
import { EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { createJobRunner } from '#worker/create-job-runner.ts'
import { createSharePage } from '#worker/create-share-page.ts'
import { createWorker } from '#worker/create-worker.ts'
import { readMetrics } from '#worker/domain/learning/read-metrics.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { Services } from '#worker/services.ts'
import { multiply, plantModule, reportSample } from './plant-learners.ts'
import { MODULES, type PlantedName } from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

const edge = new EdgeCacheStandIn(() => Date.now())

export class SharePage extends createSharePage(() => edge) {}

export const JobRunner = createJobRunner(benchServices)

const worker = createWorker(benchServices)

function benchServices(): Services {
  return {
    identity: { verify: async () => ({ userId: 'user_bench', orgId: null, orgRole: null }) },
    speech: { name: 'none', transcribe: () => Promise.reject(new Error('nothing is heard here')) },
    stepWriter: extractiveStepWriter,
    textRewriter: extractiveTextRewriter,
    tutorModel: null,
  }
}

/** The product itself, and a way for the bench to plant learners. */
const bench = new Hono<{ Bindings: Env }>()
  .post('/api/bench/plant/:name', async (c) => {
    const { id, copies } = MODULES[c.req.param('name') as PlantedName]
    const module = await plantModule(c.env.DB, id)
    // Steps are counted with each report from the first look at them on.
    await readMetrics(c.env.DB, module)
    await reportSample(c.env.DB, module)
    await multiply(c.env.DB, id, copies)
    return c.json({ ok: true })
  })
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
