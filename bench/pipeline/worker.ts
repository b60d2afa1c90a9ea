import { Hono } from 'hono'
import { readyModule } from '#local/testing/ready-module.ts'
import { openContext } from '#worker/context.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, insertModule } from '#worker/domain/module/module-store.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { admitRuns, startRun } from '#worker/domain/run/start-run.ts'
import { createTaskRunner } from '#worker/entrypoints.ts'
import type { Services } from '#worker/services.ts'
import type { CutChunk, RunRequest, Standing } from './floor.ts'
import { PROFILES, type Profile } from './floor.ts'
import { cutAudio, keepAudio, keptChunkKey, plantClientAudio } from './in-worker/audio.ts'
import { runFloor } from './in-worker/run-floor.ts'
import { simulatedSpeech, simulatedStepWriter } from './in-worker/simulated-ai.ts'
import { countedEnv, resetTally, startClock, tally, watchLog } from './in-worker/tally.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

let profile: Profile = PROFILES.mid

/** The product's own, with every statement and operation counted. */
export class TaskRunner extends createTaskRunner(simulatedServices) {
  constructor(ctx: ExecutionContext, env: Env) {
    super(ctx, countedEnv(env))
  }
}

watchLog()
const worker = createWorker(simulatedServices)

/** Made for each delivery, so that the meters are those of the tally of now. */
function simulatedServices(): Services {
  return {
    identity: { verify: async () => null },
    speech: simulatedSpeech({ profile: () => profile, meter: tally.speechCalls }),
    stepWriter: simulatedStepWriter({ profile: () => profile, meter: tally.languageCalls }),
    textRewriter: extractiveTextRewriter,
    tutorModel: null,
  }
}

const bench = new Hono<{ Bindings: Env }>()
  .get('/bench/idle', (c) => c.text('ok'))
  .put('/bench/videos/:video', async (c) => {
    const stored = await c.env.MEDIA.put(c.req.param('video'), c.req.raw.body)
    return c.json({ sizeBytes: stored?.size })
  })
  .post('/bench/videos/:video/keep-audio', async (c) => {
    await keepAudioOf(c.env.MEDIA, c.req.param('video'))
    return c.json({})
  })
  .post('/bench/videos/:video/cut', async (c) => c.json(await cutAlone(c.env.MEDIA, c.req.param('video'))))
  .post('/bench/floors', async (c) => c.json(await runFloor(c.env, await c.req.json())))
  .post('/bench/runs', async (c) => {
    const request = await c.req.json<RunRequest>()
    profile = PROFILES[request.profile]
    const moduleId = await plantModule(c.env, request.video)
    if (request.way === 'client') await plantClientAudio(c.env, moduleId, request.video)
    resetTally()
    return c.json({ moduleId })
  })
  .post('/bench/runs/:moduleId/start', async (c) => {
    startClock()
    await start(countedEnv(c.env), c.req.param('moduleId'))
    return c.json({})
  })
  .get('/bench/runs/:moduleId', async (c) => c.json(await findStanding(c.env.DB, c.req.param('moduleId'))))
  .get('/bench/tally', (c) => c.json(tally))

/** A module as `complete` leaves it just before it starts the first run. */
async function plantModule(env: Env, video: string): Promise<string> {
  const source = await env.MEDIA.head(video)
  if (source === null) throw new Error(`${video} is not stored`)
  // No two modules may have the same source.
  await env.DB.prepare('DELETE FROM modules').run()
  const module = readyModule({
    userId: 'user_bench',
    title: video,
    filename: `${video}.mp4`,
    status: 'PROCESSING',
    progress: 0,
    message: 'Waiting for the upload',
    sourceKey: video,
    sourceEtag: source.etag,
    sourceSizeBytes: source.size,
    run: 0,
  })
  await insertModule(openDb(env.DB), module)
  return module.id
}

async function start(env: Env, moduleId: string): Promise<void> {
  const deps = openContext(env)
  const module = await findModule(deps.db, moduleId)
  if (module === null) throw new Error(`No module ${moduleId}`)
  if (module.run > 0) await admitRuns(deps, module.userId)
  else await startRun(deps, module, { trigger: 'upload' })
}

async function keepAudioOf(bucket: R2Bucket, video: string): Promise<void> {
  const chunks: Parameters<typeof keepAudio>[2]['chunks'] = []
  const { durationMs } = await cutAudio({
    bucket,
    video,
    saveChunk: async ({ bytes, ...chunk }) => {
      await bucket.put(keptChunkKey(video, chunk.chunk), bytes)
      chunks.push(chunk)
    },
  })
  await keepAudio(bucket, video, { durationMs, chunks })
}

async function cutAlone(bucket: R2Bucket, video: string): Promise<CutChunk[]> {
  const chunks: CutChunk[] = []
  const beganAt = Date.now()
  const saveChunk = async ({
    startMs,
    endMs,
    audioDurationMs,
  }: {
    startMs: number
    endMs: number
    audioDurationMs: number
  }) => {
    chunks.push({ startMs, endMs, audioMs: audioDurationMs, cutAtMs: Date.now() - beganAt })
  }
  await cutAudio({ bucket, video, saveChunk })
  return chunks
}

async function findStanding(database: D1Database, moduleId: string): Promise<Standing | null> {
  return await database
    .prepare(
      `SELECT status, last_error AS error, (SELECT count(*) FROM steps WHERE module_id = modules.id) AS stepCount
       FROM modules WHERE id = ?`,
    )
    .bind(moduleId)
    .first<Standing>()
}

/** The product itself with simulated models, and a way for the bench to start runs and to look at them. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, countedEnv(env), ctx),
} satisfies ExportedHandler<Env>
