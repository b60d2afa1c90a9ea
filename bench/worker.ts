import { Hono } from 'hono'
import { createEdgedSharePage, EdgeCacheStandIn } from '#local/edge/edge-cache.ts'
import { readyModule } from '#local/testing/ready-module.ts'
import { configuredServices } from '#worker/adapters/openai-compatible/configured.ts'
import type { Services } from '#worker/core/services.ts'
import { createSweepRunner, createTaskRunner, createTutorRunner, createWorker } from '#worker/create-worker.ts'
import { countD1, openDb } from '#worker/db/db.ts'
import type { SweptPart } from '#worker/domain/health/swept-parts.ts'
import { noteLearning } from '#worker/domain/learning/note-learning.ts'
import { readMetrics } from '#worker/domain/learning/read-metrics.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { insertModule, selectModule } from '#worker/domain/module/module-store.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { streamText } from '#worker/domain/stream-text.ts'
import { seedTranscript } from '#worker/domain/transcript/testing/seed-transcript.ts'
import { NARRATION, saySegments } from '#worker/domain/tutor/testing/narration.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import type { RunPart } from '#worker/jobs/sweep.ts'
import { seedBacklog, silent } from '#worker/jobs/testing/seed-backlog.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { logLine } from '#worker/log/log.ts'
import { ModuleRoom as ProductRoom } from '#worker/objects/module-room.ts'
import type { TutorModel } from '#worker/ports/language-model.ts'
import type { Translator } from '#worker/ports/translator.ts'
import { pipelineRoutes } from './pipeline/in-worker/routes.ts'
import { simulatedSpeech, simulatedStepWriter } from './pipeline/in-worker/simulated-ai.ts'
import { countedEnv, tally, watchLog } from './pipeline/in-worker/tally.ts'
import type {
  LearnersRequest,
  ModelCall,
  PlantRequest,
  SqlRequest,
  SweepPartRequest,
  SweptPartAnswer,
  TranslateCall,
  WatchedRequest,
} from './wire.ts'

/** A fast hosted model: its first sentence, then one every so often. */
const FIRST_SENTENCE_MS = 300
const SENTENCE_EVERY_MS = 40
const SENTENCES = 5
/** That a stream is at its end is an event of its own, a token later. */
const END_AFTER_MS = 20

/** Since the scenario last asked for them. */
const calls: ModelCall[] = []

function noteCall(question: string): ModelCall {
  const call: ModelCall = { question, askedAtMs: Date.now(), sentAtMs: [] }
  calls.push(call)
  return call
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats the passages that it is shown, a sentence at a time, at the pace of a model. */
const simulatedTutorModel: TutorModel = {
  name: 'simulated',
  async *answer({ messages }, signal) {
    const user = messages[1]?.content ?? ''
    const call = noteCall(/<question>(.*)<\/question>/.exec(user)?.[1] ?? '')
    const shown = [...user.matchAll(/^\[(\d+)\] [\d:]+ (.*)$/gm)]
    await sleep(FIRST_SENTENCE_MS)
    for (const [at, [, number, text]] of shown.slice(0, SENTENCES).entries()) {
      if (at > 0) await sleep(SENTENCE_EVERY_MS)
      if (signal.aborted) return
      call.sentAtMs.push(Date.now())
      yield { text: text ?? '', segments: [Number(number)] }
    }
    await sleep(END_AFTER_MS)
  },
  // It repeats what it is shown, which needs no judge.
  judge: async () => new Set<number>(),
}

/** A fast hosted model: so long for a call, whatever is in it. */
const TRANSLATE_MS = 900
const translateCalls: TranslateCall[] = []

/** Gives each text back with a mark, into a language without rules of its own. */
const simulatedTranslator: Translator = {
  name: 'simulated',
  isPaid: false,
  isRough: false,
  listTargets: async () => ['it'],
  async translate({ texts }) {
    translateCalls.push({ texts: texts.length, words: texts.join(' ').split(/\s+/).length })
    await sleep(TRANSLATE_MS)
    return texts.map((text) => `${text} ·`)
  },
}

/** The same number of sentences at the same pace, each an event as it is sent. */
async function* sayBare(call: ModelCall): AsyncGenerator<string> {
  while (call.sentAtMs.length < SENTENCES) {
    await sleep(SENTENCE_EVERY_MS)
    call.sentAtMs.push(Date.now())
    yield 'data: "The wrench for the wheel nuts is under the carpet."\n\n'
  }
  yield 'data: {"ms":0}\n\ndata: [DONE]\n\n'
}

export { CallPacer } from '#worker/objects/call-pacer.ts'

/** The product's room; the one that is called `bare` keeps its sockets and sends them what it is given, and no more. */
export class ModuleRoom extends ProductRoom {
  override fetch(request: Request): Response {
    if (!new URL(request.url).pathname.startsWith(BARE_ROOM)) return super.fetch(request)
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    return new Response(null, { status: 101, webSocket: client })
  }

  sendBare(text: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(text)
  }
}

const BARE_ROOM = '/api/bench/bare-room'

function bareRoom({ MODULE_ROOM: rooms }: Env) {
  return rooms.get(rooms.idFromName('bare')) as unknown as DurableObjectStub<ModuleRoom>
}

/** Which scenario runs, as the runner says: some of them simulate a model, one lifts a rate limit. */
let scenario = ''

const isTranscribing = () => ['upload', 'pipeline', 'storage'].includes(scenario)

/** The subject of a token is the token itself, so that a scenario can call as many people as it likes. */
function benchServices(env: Env): Services {
  const noSpeech = { name: 'none', transcribe: () => Promise.reject(new Error('this bench transcribes nothing')) }
  return {
    identity: { verify: async (token) => ({ userId: token, orgId: null, orgRole: null, orgPermissions: [] }) },
    speech: isTranscribing() ? simulatedSpeech : noSpeech,
    // A server that the scenario has begun.
    ...(scenario === 'busy' && configuredServices(env)),
    stepWriter: isTranscribing() ? simulatedStepWriter : extractiveStepWriter,
    textRewriter: extractiveTextRewriter,
    tutorModel: scenario === 'tutor' ? simulatedTutorModel : null,
    translator: scenario === 'translate' ? simulatedTranslator : null,
    mailer: null,
    webhooks: { allows: () => false, post: async () => undefined },
  }
}

const edge = new EdgeCacheStandIn(() => Date.now())
let originRuns = 0

/** Behind the same stand-in of the edge as on a developer's machine; its runs are counted. */
export const SharePage = createEdgedSharePage(edge, () => {
  originRuns += 1
})

const isCounted = () => ['pipeline', 'storage', 'scale'].includes(scenario)
const envOf = (env: Env) => (isCounted() ? countedEnv(env) : env)

export class TaskRunner extends createTaskRunner(benchServices) {
  constructor(ctx: ExecutionContext, env: Env) {
    super(ctx, envOf(env))
  }
}

export class SweepRunner extends createSweepRunner(benchServices) {
  constructor(ctx: ExecutionContext, env: Env) {
    super(ctx, scenario === 'sweep' ? silent(env) : env)
  }
}

export const TutorRunner = createTutorRunner(benchServices)

const worker = createWorker(benchServices)

/** Counts as the product does, and refuses nothing. */
function lift(limiter: RateLimit): RateLimit {
  return { limit: async (asked) => ({ ...(await limiter.limit(asked)), success: true }) }
}

function liftLimits(env: Env): Env {
  // The three editors of the load bench are one person, who saves faster than hands can; so reads the scale bench.
  if (scenario === 'load' || scenario === 'scale') return { ...env, CALLER_LIMIT: lift(env.CALLER_LIMIT) }
  // A question about three hours counts four times, so that five a second would be too many for one module.
  if (scenario === 'tutor') return { ...env, TUTOR_MODULE_LIMIT: lift(env.TUTOR_MODULE_LIMIT) }
  return env
}

const bench = new Hono<{ Bindings: Env }>()
  .route('/api/bench/pipeline', pipelineRoutes)
  .post('/api/bench/scenario', async (c) => {
    scenario = (await c.req.json<{ name: string }>()).name
    if (isTranscribing()) watchLog()
    return c.json({})
  })
  .get('/api/bench/bare', (c) => c.json({ ok: true }))
  .get('/api/bench/bare-line', (c) => {
    const route = '/api/bench/bare-line'
    logLine('info', 'request', { outcome: 'done', method: 'GET', route, status: 200, durationMs: 0 })
    return c.json({ ok: true })
  })
  // The least that an answer costs which is kept: one row read, one written, and the way through the server to the
  // learner. Nothing is checked, searched, paid or shared.
  .post('/api/bench/bare', async (c) => {
    const { moduleId, userMessage } = await c.req.json<{ moduleId: string; userMessage: string }>()
    await c.env.DB.prepare('SELECT title FROM modules WHERE id = ?').bind(moduleId).first()
    await c.env.DB.prepare('INSERT INTO bench_bare (question) VALUES (?)').bind(userMessage).run()
    const call = noteCall(userMessage)
    return new Response(streamText(sayBare(call)), { headers: { 'content-type': 'text/event-stream' } })
  })
  .get('/api/bench/calls', (c) => c.json(calls.splice(0)))
  .get('/api/bench/translate-calls', (c) => c.json(translateCalls.splice(0)))
  .get('/api/bench/tally', (c) => c.json(tally))
  .post('/api/bench/modules', async (c) => {
    await seedModule(c.env, await c.req.json())
    return c.json({})
  })
  .post('/api/bench/learners', async (c) => {
    await reportSample(c.env.DB, await c.req.json())
    return c.json({})
  })
  .post('/api/bench/watched', async (c) => c.json({ rows: await countRowsOf(c.env.DB, await c.req.json()) }))
  .post('/api/bench/sql', async (c) => {
    const { sql, values = [], binding = 'DB' } = await c.req.json<SqlRequest>()
    const statement = c.env[binding].prepare(sql).bind(...values)
    return c.json((await statement.all()).results)
  })
  .put('/api/bench/objects/:key{.+}', async (c) => {
    const contentType = c.req.header('content-type') ?? ''
    const stored = await c.env.MEDIA.put(c.req.param('key'), c.req.raw.body, { httpMetadata: { contentType } })
    return c.json({ etag: stored?.etag })
  })
  // What a save of the product comes to: the change is written, and read again by what publishes it.
  .post('/api/bench/change/:moduleId', async (c) => {
    const moduleId = c.req.param('moduleId')
    const change = 'UPDATE modules SET steps_version = steps_version + 1 WHERE id = ?'
    await c.env.DB.prepare(change).bind(moduleId).run()
    await publishModule({ db: openDb(c.env.DB), rooms: c.env.MODULE_ROOM }, moduleId)
    return c.json({})
  })
  .get(BARE_ROOM, (c) => bareRoom(c.env).fetch(c.req.raw))
  .post(BARE_ROOM, async (c) => {
    await bareRoom(c.env).sendBare(await c.req.text())
    return c.json({})
  })
  .post('/api/bench/cold/:moduleId', async (c) => {
    await edge.purge([`share-${c.req.param('moduleId')}`])
    originRuns = 0
    return c.json({})
  })
  .post('/api/bench/sweep', async (c) => {
    await sweepHere(openContext(envOf(c.env)))
    return c.json({})
  })
  .post('/api/bench/backlog', async (c) => {
    await seedBacklog(c.env, { ...(await c.req.json<{ count: number }>()), nowMs: Date.now() })
    return c.json({})
  })
  .post('/api/bench/sweep-part', async (c) => {
    const { part } = await c.req.json<SweepPartRequest>()
    const { SweepRunner: runner } = c.executionCtx.exports as unknown as { SweepRunner: { sweepPart: RunPart } }
    return c.json((await runner.sweepPart(part as SweptPart, undefined)) satisfies SweptPartAnswer)
  })
  .get('/api/bench/runs', (c) => c.json({ originRuns }))
  .all('*', (c) => worker.fetch(c.req.raw, envOf(liftLimits(c.env)), c.executionCtx as ExecutionContext))

async function seedModule(env: Env, { module, sentences }: PlantRequest): Promise<void> {
  await insertModule(openDb(env.DB), readyModule(module))
  if (sentences === 0) return
  const narration = Array.from({ length: sentences ?? NARRATION.length }, (_, at) => {
    const text = NARRATION[at % NARRATION.length] ?? ''
    // The same narration again and again, each time with words of its own.
    return sentences === undefined ? text : `${text} It is word${at} and place${Math.floor(at / 15)}.`
  })
  await seedTranscript({ d1: env.DB, bucket: env.MEDIA }, module.id, saySegments(narration))
}

/** So long ago that all of it could have been played since. */
const OPENED_AGO_MS = 60 * 60_000

/** Applies a sample's reports as the product does. Learners stop at some point, jump back, and complete it or not. */
async function reportSample(d1: D1Database, { moduleId, learners, reportsEach, durationS }: LearnersRequest) {
  const [module] = await selectModule(openDb(d1), moduleId)
  if (module === undefined) throw new Error(`module ${moduleId} does not exist`)
  for (let learner = 0; learner < learners; learner += 1) {
    const session = {
      kind: 'session',
      moduleId,
      learnerId: `anyone:sample-${learner}`,
      sessionId: `session-${learner}-long`,
      startedAtMs: Date.now() - OPENED_AGO_MS,
    } as const
    const paceS = 20 + ((learner * 37) % 140)
    for (let seq = 1; seq <= reportsEach; seq += 1) {
      const from = Math.min(durationS, (seq - 1) * paceS)
      const to = Math.min(durationS, from + paceS + (learner % 3) * 4)
      const segments: [number, number][] = [[from, to]]
      if (learner % 5 === 0) segments.push([Math.max(0, from - 15), from])
      const report = { seq, segments, position: to }
      await noteLearning({ d1, secrets: 'bench', nowMs: Date.now }, module, {
        session,
        report,
        network: null,
        site: null,
      })
    }
  }
  // Steps are counted from the first time that their metrics are read.
  await readMetrics(d1, module)
}

/** Applies the reports of one learner as the product does. @returns how many rows that has written */
async function countRowsOf(real: D1Database, { moduleId, learner, reportsS }: WatchedRequest): Promise<number> {
  const { d1, rowsWritten } = countD1(real)
  const [module] = await selectModule(openDb(d1), moduleId)
  if (module === undefined) throw new Error(`module ${moduleId} does not exist`)
  const startedAtMs = Date.now() - OPENED_AGO_MS
  const session = {
    kind: 'session',
    moduleId,
    learnerId: `anyone:${learner}`,
    sessionId: `session-${learner}`,
    startedAtMs,
  } as const
  const from = { network: networkOf('192.0.2.1'), site: siteOf('192.0.2.1') }
  for (const [at, toS] of reportsS.entries()) {
    const report = { seq: at + 1, segments: [[reportsS[at - 1] ?? 0, toS]] as [number, number][], position: toS }
    await noteLearning({ d1, secrets: 'bench', nowMs: Date.now }, module, { session, report, ...from })
  }
  return rowsWritten()
}

/** The product itself behind the stand-in of the edge, and routes for the scenarios to seed, count and measure. */
export default {
  fetch: (request, env, ctx) => bench.fetch(request, env, ctx),
  queue: (batch, env, ctx) => worker.queue(batch, envOf(env), ctx),
} satisfies ExportedHandler<Env>
