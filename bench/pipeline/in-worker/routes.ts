import { Hono } from 'hono'
import { readyModule } from '#local/testing/ready-module.ts'
import { openContext } from '#worker/context.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, insertModule } from '#worker/domain/module/module-store.ts'
import { admitRuns, startRun } from '#worker/domain/run/start-run.ts'
import { type CutChunk, PROFILES, type ProfileName, type RunRequest } from '../floor.ts'
import { cutAudio, plantClientAudio } from './audio.ts'
import { runFloor } from './run-floor.ts'
import { countedEnv, resetTally } from './tally.ts'

let profileName: ProfileName = 'mid'

/** How fast the simulated models are in the run of now. */
export const currentProfile = () => PROFILES[profileName]

/** A way for the bench to cut a video's audio alone, and to start runs; everything else about them is read by SQL. */
export const pipelineRoutes = new Hono<{ Bindings: Env }>()
  .post('/cut/:video', async (c) => {
    const chunks: CutChunk[] = []
    const beganAt = Date.now()
    await cutAudio({
      bucket: c.env.MEDIA,
      video: c.req.param('video'),
      saveChunk: async ({ startMs, endMs, audioDurationMs: audioMs }) => {
        chunks.push({ startMs, endMs, audioMs, cutAtMs: Date.now() - beganAt })
      },
    })
    return c.json(chunks)
  })
  .post('/floors', async (c) => c.json(await runFloor(c.env, await c.req.json())))
  .post('/runs', async (c) => {
    const { video, way, profile } = await c.req.json<RunRequest>()
    profileName = profile
    const moduleId = await plantModule(c.env, video)
    if (way === 'client') await plantClientAudio(c.env, moduleId, video)
    resetTally()
    await start(countedEnv(c.env), moduleId)
    return c.json({ moduleId })
  })

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
