import { Hono } from 'hono'
import { createJobRunner } from '#worker/create-job-runner.ts'
import { createTutorRunner } from '#worker/create-tutor-runner.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { NARRATION } from '#worker/domain/tutor/testing/narration.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'
import type { Services } from '#worker/services.ts'
import { FIRST_SENTENCE_MS, PLANTED, type PlantedName, SENTENCE_EVERY_MS, SENTENCES } from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

/** What became of the model's calls. */
const seen = { asked: 0, aborted: 0 }

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Says what was said, a sentence at a time, at the pace of a model. */
const simulatedModel: TutorModel = {
  name: 'simulated',
  async *answer({ messages }, signal) {
    seen.asked += 1
    signal.addEventListener('abort', () => {
      seen.aborted += 1
    })
    const shown = [...(messages[1]?.content ?? '').matchAll(/^\[(\d+)\] [\d:]+ (.*)$/gm)]
    await sleep(FIRST_SENTENCE_MS)
    for (const [at, [, number, text]] of shown.slice(0, SENTENCES).entries()) {
      if (at > 0) await sleep(SENTENCE_EVERY_MS)
      if (signal.aborted) return
      yield { text: text ?? '', segments: [Number(number)] }
    }
  },
}

/** Whoever asks is told by the token, so that no one person asks too much. */
function benchServices(): Services {
  return {
    identity: { verify: async (token) => ({ userId: token, orgId: null, orgRole: null }) },
    speech: { name: 'none', transcribe: () => Promise.reject(new Error('nothing is heard here')) },
    stepWriter: extractiveStepWriter,
    textRewriter: extractiveTextRewriter,
    tutorModel: simulatedModel,
  }
}

export const JobRunner = createJobRunner(benchServices)

export const TutorRunner = createTutorRunner(benchServices)

const worker = createWorker(benchServices)

const bench = new Hono<{ Bindings: Env }>()
  .get('/api/bench/seen', (c) => c.json(seen))
  .post('/api/bench/plant/:name', async (c) => {
    await plantModule(c.env, c.req.param('name') as PlantedName)
    return c.json({})
  })
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

/** The same narration again and again, each time with words of its own. */
async function plantModule(env: Env, name: PlantedName): Promise<void> {
  const { id, segments } = PLANTED[name]
  await insertModule(openDb(env.DB), {
    id,
    userId: 'bench.owner.x',
    title: 'Change a tyre',
    filename: 'tyre.mp4',
    status: 'READY',
    progress: 100,
    message: 'Ready',
    sourceKey: `src/${id}/source`,
    declaredType: 'video/mp4',
    sourceEtag: 'etag',
    sourceSizeBytes: 1,
    sourceType: 'video/mp4',
    durationMs: segments * 6_000,
    run: 1,
    stepsVersion: 1,
    createdAt: Date.now(),
    receivedAt: Date.now(),
    updatedAt: Date.now(),
  })
  const said = Array.from({ length: segments }, (_, at) => {
    const text = `${NARRATION[at % NARRATION.length]} It is word${at} and place${Math.floor(at / 15)}.`
    return { startMs: at * 6_000, endMs: at * 6_000 + 6_000, text, confidence: null }
  })
  await replaceTranscript(env.DB, id, said)
}

/** The product itself with a simulated model. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
