import { Hono } from 'hono'
import { formSegments } from '#worker/domain/transcript/form-segments.ts'
import type { SaidSegment, StepDraft } from '#worker/ports/language-model.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import type { SerialStanding } from './floor.ts'
import { PROFILES, type ProfileName } from './floor.ts'
import { cutAudio } from './in-worker/audio.ts'
import { simulatedSpeech, simulatedStepWriter } from './in-worker/simulated-ai.ts'

/**
 * The baseline: the same work with the same models, built the way such a pipeline usually is. One message leads a video
 * from stage to stage, each stage does its work one call after the other, and the queues are as they come.
 */
interface SerialEnv {
  DB: D1Database
  MEDIA: R2Bucket
  [queue: `QUEUE_${Stage}_${number}`]: Queue<SerialMessage>
}

const STAGES = ['extract', 'transcribe', 'write', 'store'] as const
type Stage = (typeof STAGES)[number]

interface SerialMessage {
  run: number
  video: string
  profile: ProfileName
}

interface Work extends SerialMessage {
  env: SerialEnv
  /** Where this run keeps what its stages hand on. */
  folder: string
}

/** Chunks and windows as tutorials for these models make them. */
const CHUNK_MS = 60_000
const WINDOW_MS = 600_000

const routes = new Hono<{ Bindings: SerialEnv }>()
  .get('/idle', (c) => c.text('ok'))
  .post('/table', async (c) => {
    await c.env.DB.batch([
      c.env.DB.prepare('CREATE TABLE runs (run INTEGER PRIMARY KEY, stage TEXT, started_at INTEGER, ready_at INTEGER)'),
      c.env.DB.prepare('CREATE TABLE steps (run INTEGER, title TEXT, description TEXT)'),
    ])
    return c.json({})
  })
  .post('/runs', async (c) => {
    const message = await c.req.json<SerialMessage>()
    await c.env.DB.prepare(`INSERT INTO runs (run, stage, started_at) VALUES (?, 'extract', ?)`)
      .bind(message.run, Date.now())
      .run()
    await sendOn(c.env, 'extract', message)
    return c.json({})
  })
  .get('/runs', async (c) => {
    const { results } = await c.env.DB.prepare(
      `SELECT run, stage, started_at AS startedAt, ready_at AS readyAt,
              (SELECT count(*) FROM steps WHERE steps.run = runs.run) AS stepCount FROM runs`,
    ).all<SerialStanding>()
    return c.json(results)
  })

const PERFORM = { extract, transcribe, write, store } satisfies Record<Stage, (work: Work) => Promise<void>>

export default {
  fetch: (request, env, ctx) => routes.fetch(request, env, ctx),
  async queue(batch, env) {
    for (const message of batch.messages) {
      const [, stage = 'extract'] = batch.queue.split('-') as [string, Stage?]
      await PERFORM[stage]({ ...message.body, env, folder: `serial/${message.body.run}` })
      const next = STAGES[STAGES.indexOf(stage) + 1]
      if (next !== undefined) await moveOn(env, next, message.body)
      message.ack()
    }
  },
} satisfies ExportedHandler<SerialEnv, SerialMessage>

async function moveOn(env: SerialEnv, stage: Stage, message: SerialMessage): Promise<void> {
  await env.DB.prepare('UPDATE runs SET stage = ? WHERE run = ?').bind(stage, message.run).run()
  await sendOn(env, stage, message)
}

async function sendOn(env: SerialEnv, stage: Stage, message: SerialMessage): Promise<void> {
  const queue = env[`QUEUE_${stage}_${message.run}`]
  if (queue === undefined) throw new Error(`Run ${message.run} has no queue to ${stage}`)
  await queue.send(message)
}

interface Chunk {
  key: string
  startMs: number
  durationMs: number
}

async function extract({ env, folder, video }: Work): Promise<void> {
  const chunks: Chunk[] = []
  await cutAudio({
    bucket: env.MEDIA,
    video,
    made: { chunkMs: CHUNK_MS, overlapMs: 0 },
    saveChunk: async ({ chunk, bytes, audioStartMs, audioDurationMs }) => {
      const key = `${folder}/audio/${chunk}`
      await env.MEDIA.put(key, bytes)
      chunks.push({ key, startMs: audioStartMs, durationMs: audioDurationMs })
    },
  })
  await env.MEDIA.put(`${folder}/chunks`, JSON.stringify(chunks))
}

async function transcribe({ env, folder, profile }: Work): Promise<void> {
  const speech = simulatedSpeech({ profile: () => PROFILES[profile], meter: idleMeter() })
  const words: TranscribedWord[] = []
  for (const { key, startMs, durationMs } of await read<Chunk[]>(env, `${folder}/chunks`)) {
    const stored = await env.MEDIA.get(key)
    const audio = new Uint8Array((await stored?.arrayBuffer()) ?? [])
    const chunk = { audio, contentType: 'audio/mp4', durationMs, language: null, prompt: null } as const
    const { words: transcribed } = await speech.transcribe(chunk, new AbortController().signal)
    for (const word of transcribed) {
      words.push({ ...word, startMs: startMs + word.startMs, endMs: startMs + word.endMs })
    }
  }
  const segments = formSegments(words).map((segment, at) => ({ ...segment, id: `s${at}` }))
  await env.MEDIA.put(`${folder}/transcript`, JSON.stringify(segments))
}

async function write({ env, folder, profile }: Work): Promise<void> {
  const writer = simulatedStepWriter({ profile: () => PROFILES[profile], meter: idleMeter() })
  const windows = Map.groupBy(await read<SaidSegment[]>(env, `${folder}/transcript`), (segment) =>
    Math.floor(segment.startMs / WINDOW_MS),
  )
  const drafts: StepDraft[] = []
  for (const segments of windows.values()) {
    const window = { moduleTitle: '', language: null, glossary: null, durationMs: null, before: [], segments }
    drafts.push(...(await writer.writeSteps(window, new AbortController().signal)))
  }
  await env.MEDIA.put(`${folder}/steps`, JSON.stringify(drafts))
}

async function store({ env, folder, run }: Work): Promise<void> {
  const steps = await read<StepDraft[]>(env, `${folder}/steps`)
  const insert = env.DB.prepare('INSERT INTO steps (run, title, description) VALUES (?, ?, ?)')
  await env.DB.batch([
    ...steps.map((step) => insert.bind(run, step.title, step.description)),
    env.DB.prepare(`UPDATE runs SET stage = 'READY', ready_at = ? WHERE run = ?`).bind(Date.now(), run),
  ])
}

async function read<T>(env: SerialEnv, key: string): Promise<T> {
  const object = await env.MEDIA.get(key)
  if (object === null) throw new Error(`${key} is missing`)
  return await object.json<T>()
}

function idleMeter() {
  return { inFlight: 0, mostInFlight: 0 }
}
