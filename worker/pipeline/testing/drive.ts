import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { plantModule } from '#local/testing/modules.ts'
import { makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { openRunQueues } from '#worker/domain/run/run-queues.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { openUploadDeps, type UploadDeps } from '#worker/domain/upload/receive-upload.ts'
import type { Heard, HeardWord, SpeechPart, SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { Services } from '#worker/services.ts'
import { consume } from '../consume.ts'
import type { Job, JobDeps } from '../job.ts'
import { runJobs } from '../run-jobs.ts'

/** A sentence of a how-to, said over and over with a number in it. */
const SENTENCE = 'now click the blue button number and wait until the next page has opened completely'.split(' ')
const WORD_MS = 400

/** Hears the same words in every part, as a clean narration would come out. */
export function heardIn(part: Pick<SpeechPart, 'durationMs'>, confidence: number | null = 0.9): Heard {
  const words: HeardWord[] = []
  for (let startMs = 0; startMs + WORD_MS <= part.durationMs; startMs += WORD_MS) {
    const text = SENTENCE[words.length % SENTENCE.length] ?? ''
    words.push({ text, startMs, endMs: startMs + WORD_MS - 50, confidence })
  }
  return { words, language: 'en', confidence }
}

export interface FakeSpeech extends SpeechToText {
  calls: SpeechPart[]
}

/** A recogniser that answers what the test says. */
export function fakeSpeech(answer: (part: SpeechPart, call: number) => Heard | Promise<Heard> = heardIn): FakeSpeech {
  const calls: SpeechPart[] = []
  return { name: 'fake', calls, transcribe: async (part) => answer(part, calls.push(part)) }
}

/** The jobs on real storage, with the messages that they send kept for the test to deliver. */
export interface Driver {
  deps: JobDeps & UploadDeps
  sent: Job[]
  /** Delivers messages in one batch, as the queue would, and answers what became of each. */
  deliver(jobs: unknown[]): Promise<{ acked: number; retried: number }>
  /** Delivers everything that was sent, and what that sends, until nothing is left. */
  drain: (pick?: (sent: Job[]) => Job[]) => Promise<void>
}

/** @param bindings instead of the test's own, for example metered ones */
export function openDriver(services: Partial<Services> = {}, bindings: Env = env): Driver {
  const sent: Job[] = []
  const queue = {
    send: async (job: Job) => void sent.push(job),
    sendBatch: async (jobs: { body: Job }[]) => void sent.push(...jobs.map(({ body }) => body)),
  } as unknown as Queue
  const deps: Driver['deps'] = {
    ...openUploadDeps(bindings),
    queues: openRunQueues({ INGEST_QUEUE: queue, SPEECH_QUEUE: queue, STEPS_QUEUE: queue }),
    services: {
      identity: { verify: async () => null },
      speech: fakeSpeech(),
      stepWriter: extractiveStepWriter,
      textRewriter: extractiveTextRewriter,
      tutorModel: null,
      ...services,
    },
  }
  async function deliver(jobs: unknown[]) {
    const messages = jobs.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }))
    const batch = createMessageBatch('adapt-speech', messages)
    await consume(batch, {
      ...deps,
      runJobs: (tries) => runJobs(tries, deps),
      inFlight: 60,
      // What is sent is for the test to deliver.
      findReady: async () => [],
    })
    const result = await getQueueResult(batch, createExecutionContext())
    return { acked: result.explicitAcks.length, retried: result.retryMessages.length }
  }
  async function drain(pick: (waiting: Job[]) => Job[] = (waiting) => waiting) {
    while (sent.length > 0) await deliver(pick(sent.splice(0)))
  }
  return { deps, sent, deliver, drain }
}

const recordings = new Map<number, Promise<Uint8Array>>()

/** Making a recording takes longer than working on it, so tests share them. */
function recordingOf(soundMs: number): Promise<Uint8Array> {
  const made = recordings.get(soundMs) ?? makeMedia('mp4', steadyPackets(Math.round(soundMs / 64)))
  recordings.set(soundMs, made)
  return made
}

/** A module in its first run, with sound of the given length in the bucket. */
export async function plantRun(soundMs: number, fields: Parameters<typeof plantModule>[0] = {}) {
  const bytes = await recordingOf(soundMs)
  const module = await plantModule(fields)
  const object = await env.MEDIA.put(module.sourceKey, bytes)
  await env.DB.prepare('UPDATE modules SET source_etag = ?, source_size_bytes = ? WHERE id = ?')
    .bind(object?.etag, bytes.byteLength, module.id)
    .run()
  await env.DB.prepare(
    `INSERT INTO runs (module_id, run, "trigger", started_at, admitted_at) VALUES (?, 1, 'upload', 0, 0)`,
  )
    .bind(module.id)
    .run()
  return { moduleId: module.id, run: 1 }
}
