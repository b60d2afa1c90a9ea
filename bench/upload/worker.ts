import { Hono } from 'hono'
import { createSharePage } from '#worker/create-share-page.ts'
import { createTaskRunner } from '#worker/create-task-runner.ts'
import { createWorker } from '#worker/create-worker.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import type { Services } from '#worker/services.ts'
import { simulatedSpeech, simulatedStepWriter } from '../pipeline/in-worker/simulated-ai.ts'
import { tally, watchLog } from '../pipeline/in-worker/tally.ts'
import { PROFILES } from '../pipeline/profiles.ts'
import type { UploadStanding } from './answers.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

export const TaskRunner = createTaskRunner(simulatedServices)

/** Nobody looks at share pages here, so there is nothing to forget. */
export const SharePage = createSharePage(() => ({ purge: async () => {} }))

watchLog()
const worker = createWorker(simulatedServices)

/** Every token is the same trainer's; models answer after the time that hosted ones of the mid profile take. */
function simulatedServices(): Services {
  const profile = () => PROFILES.mid
  return {
    identity: { verify: async () => ({ userId: 'user_bench', orgId: null, orgRole: null, orgPermissions: [] }) },
    speech: simulatedSpeech({ profile, meter: tally.speechCalls }),
    stepWriter: simulatedStepWriter({ profile, meter: tally.languageCalls }),
    textRewriter: extractiveTextRewriter,
    tutorModel: null,
  }
}

const bench = new Hono<{ Bindings: Env }>()
  .put('/api/bench/videos/:video', async (c) => {
    const stored = await c.env.MEDIA.put(c.req.param('video'), c.req.raw.body)
    return c.json({ sizeBytes: stored?.size })
  })
  .get('/api/bench/modules/:moduleId', async (c) => c.json(await findStanding(c.env.DB, c.req.param('moduleId'))))
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

async function findStanding(database: D1Database, moduleId: string): Promise<UploadStanding | null> {
  const statement = `SELECT status, last_error AS error, run AS runs,
      (SELECT count(*) FROM steps WHERE module_id = modules.id) AS stepCount
    FROM modules WHERE id = ?`
  const standing = await database.prepare(statement).bind(moduleId).first<Omit<UploadStanding, 'complaints'>>()
  return standing && { ...standing, complaints: tally.complaints }
}

/** The product itself with simulated models, and a way for the bench to look at modules. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
