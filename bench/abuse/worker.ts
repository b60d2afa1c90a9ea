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
import { HOSTILE, HOSTILE_MODULE_ID, MODULE_ID, OWNER } from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

const edge = new EdgeCacheStandIn(() => Date.now())

export const SharePage = createEdgedSharePage(edge)

export const TaskRunner = createTaskRunner(idleServicesByToken)

export const TutorRunner = createTutorRunner(idleServicesByToken)

const worker = createWorker(idleServicesByToken)

/** Every limit and quota is as a deployment has it by default. */
const bench = new Hono<{ Bindings: Env }>()
  .post('/api/bench/plant', async (c) => {
    await plantModule(c.env, { id: MODULE_ID, userId: OWNER })
    await plantModule(c.env, { id: HOSTILE_MODULE_ID, userId: HOSTILE })
    return c.json({ ok: true })
  })
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

async function plantModule(env: Env, fields: { id: string; userId: string }): Promise<void> {
  await insertModule(openDb(env.DB), readyModule({ ...fields, durationMs: 80_000_000 }))
  await replaceTranscript(env.DB, fields.id, saySegments(NARRATION))
}

/** The product itself behind the stand-in of the edge, with two modules. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
