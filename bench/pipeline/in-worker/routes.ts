import { Hono } from 'hono'
import { readyModule } from '#local/testing/ready-module.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, insertModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { openContext } from '#worker/entry/open-context.ts'
import type { ArrivalsRequest, CutChunk, RunRequest } from '../floor.ts'
import { cutAudio, seedClientAudio } from './audio.ts'
import { runFloor } from './run-floor.ts'
import { simulateProfile } from './simulated-ai.ts'
import { countedEnv, resetTally } from './tally.ts'

/** A way for the bench to cut a video's audio alone, and to start runs; everything else about them is read by SQL. */
export const pipelineRoutes = new Hono<{ Bindings: Env }>()
  .post('/cut/:video', async (c) => {
    const chunks: CutChunk[] = []
    const beganAt = Date.now()
    await cutAudio(c.env.MEDIA, c.req.param('video'), async ({ startMs, endMs, audioDurationMs: audioMs }) => {
      chunks.push({ startMs, endMs, audioMs, cutAtMs: Date.now() - beganAt })
    })
    return c.json(chunks)
  })
  .post('/floors', async (c) => c.json(await runFloor(c.env, await c.req.json())))
  .post('/runs', async (c) => {
    const { video, way, profile } = await c.req.json<RunRequest>()
    simulateProfile(profile)
    // No two modules may have the same source.
    await c.env.DB.prepare('DELETE FROM modules').run()
    const module = await seedModule(c.env, { userId: 'user_bench', sourceKey: video })
    // A browser's audio is there before anything is counted; nothing is transcribed until the run gets its turn.
    const prepare = async (id: RunId) => {
      await seedClientAudio(c.env, id, video)
      resetTally()
    }
    resetTally()
    const cause = { trigger: 'upload', ...(way === 'client' ? { prepare } : {}) } as const
    await startRun(openContext(countedEnv(c.env)), module, cause)
    return c.json({ moduleId: module.id })
  })
  // Videos of one owner that arrive at the same moment.
  .post('/arrivals', async (c) => {
    const { video, userId, count } = await c.req.json<ArrivalsRequest>()
    const bytes = await (await c.env.MEDIA.get(video))?.arrayBuffer()
    if (bytes === undefined) throw new Error(`${video} is not stored`)
    for (let number = 0; number < count; number += 1) {
      const sourceKey = `src/${userId}-${number}`
      await c.env.MEDIA.put(sourceKey, bytes)
      await startRun(openContext(c.env), await seedModule(c.env, { userId, sourceKey }), { trigger: 'upload' })
    }
    return c.json({})
  })

/** A module as `complete` leaves it just before it starts the first run. */
async function seedModule(
  env: Env,
  { userId, sourceKey }: Pick<ModuleRow, 'userId' | 'sourceKey'>,
): Promise<ModuleRow> {
  const source = await env.MEDIA.head(sourceKey)
  if (source === null) throw new Error(`${sourceKey} is not stored`)
  const of = { userId, title: sourceKey, filename: `${sourceKey}.mp4`, sourceKey, run: 0 }
  const waiting = { status: 'PROCESSING', progress: 0, message: 'Waiting for the upload' } as const
  const stored = { sourceEtag: source.etag, sourceSizeBytes: source.size }
  const module = readyModule({ ...of, ...waiting, ...stored })
  await insertModule(openDb(env.DB), module)
  return (await findModule(openDb(env.DB), module.id)) as ModuleRow
}
