import { Hono } from 'hono'
import { readyModule } from '#local/testing/ready-module.ts'
import { createTaskRunner } from '#worker/create-task-runner.ts'
import { createTutorRunner } from '#worker/create-tutor-runner.ts'
import { createWorker } from '#worker/create-worker.ts'
import { openDb } from '#worker/db/db.ts'
import { insertModule } from '#worker/domain/module/module-store.ts'
import { replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { NARRATION, saySegments } from '#worker/domain/tutor/testing/narration.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'
import type { Services } from '#worker/services.ts'
import { idleServicesByToken } from '../shared/in-worker/idle-services.ts'
import {
  END_AFTER_MS,
  FIRST_SENTENCE_MS,
  type ModelCall,
  PLANTED,
  type PlantedName,
  SENTENCE_EVERY_MS,
  SENTENCES,
} from './planted.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

const calls: ModelCall[] = []

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Says what was said, a sentence at a time, at the pace of a model. */
const simulatedModel: TutorModel = {
  name: 'simulated',
  async *answer({ messages }, signal) {
    const user = messages[1]?.content ?? ''
    const question = /<question>(.*)<\/question>/.exec(user)?.[1] ?? ''
    const call: ModelCall = { question, askedAtMs: Date.now(), saidAtMs: [] }
    calls.push(call)
    const shown = [...user.matchAll(/^\[(\d+)\] [\d:]+ (.*)$/gm)]
    await sleep(FIRST_SENTENCE_MS)
    for (const [at, [, number, text]] of shown.slice(0, SENTENCES).entries()) {
      if (at > 0) await sleep(SENTENCE_EVERY_MS)
      if (signal.aborted) return
      call.saidAtMs.push(Date.now())
      yield { text: text ?? '', segments: [Number(number)] }
    }
    await sleep(END_AFTER_MS)
  },
}

function benchServices(): Services {
  return { ...idleServicesByToken(), tutorModel: simulatedModel }
}

export const TaskRunner = createTaskRunner(benchServices)

export const TutorRunner = createTutorRunner(benchServices)

const worker = createWorker(benchServices)

/**
 * The least that an answer costs which is kept: one row read, one written, and the way through the server to the
 * learner. Nothing is checked, searched, paid or shared.
 */
async function streamBare({ DB }: Env, question: string): Promise<ReadableStream<Uint8Array>> {
  await DB.prepare('SELECT title FROM modules WHERE id = ?').bind(PLANTED.threeHours.id).first()
  await DB.prepare('INSERT INTO bench_bare (question) VALUES (?)').bind(question).run()
  const call: ModelCall = { question, askedAtMs: Date.now(), saidAtMs: [] }
  calls.push(call)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      if (call.saidAtMs.length === SENTENCES) {
        controller.enqueue(encoder.encode('data: {"ms":0}\n\ndata: [DONE]\n\n'))
        controller.close()
        return
      }
      await sleep(SENTENCE_EVERY_MS)
      call.saidAtMs.push(Date.now())
      controller.enqueue(encoder.encode('data: "The wrench for the wheel nuts is under the carpet."\n\n'))
    },
  })
}

const bench = new Hono<{ Bindings: Env }>()
  .post('/api/bench/bare', async (c) => {
    const { userMessage } = await c.req.json<{ userMessage: string }>()
    return new Response(await streamBare(c.env, userMessage), { headers: { 'content-type': 'text/event-stream' } })
  })
  .get('/api/bench/calls', (c) => c.json(calls.splice(0)))
  .post('/api/bench/plant/:name', async (c) => {
    await c.env.DB.prepare('CREATE TABLE IF NOT EXISTS bench_bare (question TEXT)').run()
    await plantModule(c.env, c.req.param('name') as PlantedName)
    return c.json({})
  })
  .all('*', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

/** The same narration again and again, each time with words of its own. */
async function plantModule(env: Env, name: PlantedName): Promise<void> {
  const { id, segments } = PLANTED[name]
  const fields = { id, userId: 'bench.owner.x', durationMs: segments * 6_000, stepsVersion: 1 }
  await insertModule(openDb(env.DB), readyModule(fields))
  const said = Array.from(
    { length: segments },
    (_, at) => `${NARRATION[at % NARRATION.length]} It is word${at} and place${Math.floor(at / 15)}.`,
  )
  await replaceTranscript(env.DB, id, saySegments(said))
}

/** The product itself with a simulated model. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, env, ctx),
} satisfies ExportedHandler<Env>
