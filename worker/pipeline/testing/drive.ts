import { env } from 'cloudflare:workers'
import { seedModule } from '#local/testing/modules.ts'
import { makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import type { Doorbell, ServedContext } from '#worker/core/context.ts'
import type { Services } from '#worker/core/services.ts'
import { openDb } from '#worker/db/db.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { RUN_SUBJECT, runSubjectId, subjectOf } from '#worker/domain/run/run-subject.ts'
import { addIngestTask } from '#worker/domain/run/run-task-store.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { openContext } from '#worker/entry/open-context.ts'
import type { SpeechChunk, SpeechResult, SpeechToText, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import type { Task } from '#worker/tasks/task.ts'
import { LEASE_MS } from '#worker/tasks/task-store.ts'
import { TASK_HANDLERS } from '../task-handlers.ts'

/** A sentence of a how-to, said over and over with a number in it. */
const SENTENCE = 'now click the blue button number and wait until the next page has opened completely'.split(' ')
const WORD_MS = 400

/** Transcribes every chunk to the same words, as a clean narration would come out. */
export function transcribedIn(chunk: Pick<SpeechChunk, 'durationMs'>, confidence: number | null = 0.9): SpeechResult {
  const words: TranscribedWord[] = []
  for (let startMs = 0; startMs + WORD_MS <= chunk.durationMs; startMs += WORD_MS) {
    const text = SENTENCE[words.length % SENTENCE.length] ?? ''
    words.push({ text, startMs, endMs: startMs + WORD_MS - 50, confidence })
  }
  return { words, language: 'en' }
}

export interface FakeSpeech extends SpeechToText {
  calls: SpeechChunk[]
}

/** A recogniser that answers what the test says. */
export function fakeSpeech(
  answer: (chunk: SpeechChunk, call: number) => SpeechResult | Promise<SpeechResult> = (chunk) => transcribedIn(chunk),
): FakeSpeech {
  const calls: SpeechChunk[] = []
  return { name: 'fake', calls, transcribe: async (chunk) => answer(chunk, calls.push(chunk)) }
}

/** Names a task; the first one of its kind when no index is given. */
export interface TaskName {
  kind: TaskKind
  moduleId: string
  run: number
  index?: number
}

/** The pipeline on real storage; what is done when is for the test to say. */
export interface Driver {
  deps: ServedContext
  /** Doorbells that were rung. */
  rung: Doorbell[]
  /** Tasks that are due and free, of runs whose turn it is, in the order in which they were added. */
  listReady: (kind?: TaskKind) => Promise<Required<TaskName>[]>
  /** Does these tasks at once, in one invocation. @returns how many were done, and how many wait for their next attempt */
  deliver(tasks: TaskName[]): Promise<{ done: number; retried: number }>
  /** Does all that is ready, and what becomes ready by that, until nothing is left. */
  drain: (pick?: (ready: Required<TaskName>[]) => Required<TaskName>[]) => Promise<void>
}

const LIST_READY = `SELECT t.kind, r.module_id AS moduleId, r.run, t.idx AS "index" FROM task_queue AS t
  JOIN runs AS r ON t.subject_id = ${runSubjectId('r')} AND r.admitted_at IS NOT NULL AND r.ended_at IS NULL
  JOIN modules AS m ON m.id = r.module_id AND m.run = r.run AND m.run_status = 'PROCESSING'
  WHERE t.state = 'ready' AND t.lease_until <= ?1 AND t.next_attempt_at <= ?1 AND coalesce(t.kind = ?2, true)
  ORDER BY t.rowid`

/** Claims one task by its name, as if it were due. */
async function claimNamed({ kind, moduleId, run, index = 0 }: TaskName, nowMs: number, leaseId: string) {
  const subject = subjectOf({ moduleId, run })
  const { results } = await env.DB.prepare(
    `UPDATE task_queue SET lease_id = ?4, lease_until = ?5
     WHERE subject_kind = 'run' AND subject_id = ?1 AND kind = ?2 AND idx = ?3 AND state = 'ready' AND lease_until <= ?6
     RETURNING attempts, busy_since AS busySince, size_bytes AS sizeBytes,
       ${RUN_SUBJECT.requestId('task_queue.subject_id')} AS requestId,
       ${RUN_SUBJECT.openSince('task_queue.subject_id')} AS openSince`,
  )
    .bind(subject.subjectId, kind, index, leaseId, nowMs + LEASE_MS, nowMs)
    .all<Pick<Task, 'attempts' | 'busySince' | 'sizeBytes' | 'requestId' | 'openSince'>>()
  return results.map((row): Task => ({ ...subject, kind, index, payload: null, leaseId, isAnyBusy: false, ...row }))
}

async function countStates(tasks: Task[]): Promise<{ done: number; retried: number }> {
  const rows = await Promise.all(
    tasks.map(({ subjectId, kind, index }) =>
      env.DB.prepare('SELECT state FROM task_queue WHERE subject_id = ? AND kind = ? AND idx = ?')
        .bind(subjectId, kind, index)
        .first<string>('state'),
    ),
  )
  return {
    // A run that ends well drops its tasks.
    done: rows.filter((state) => state !== 'ready').length,
    retried: rows.filter((state) => state === 'ready').length,
  }
}

/** @param bindings instead of the test's own, for example metered ones */
export function openDriver(services: Partial<Services> = {}, bindings: Env = env): Driver {
  const rung: Doorbell[] = []
  const queue = { send: async (bell: Doorbell) => void rung.push(bell) } as unknown as Queue
  const deps: Driver['deps'] = {
    ...openContext(bindings),
    queues: { ingest: queue, transcribe: queue, write_steps: queue, translate: queue, notify: queue },
    edge: { purge: async () => undefined },
    services: {
      identity: { verify: async () => null },
      speech: fakeSpeech(),
      stepWriter: extractiveStepWriter,
      textRewriter: extractiveTextRewriter,
      tutorModel: null,
      translator: null,
      mailer: null,
      webhooks: { allows: () => true, post: async () => undefined },
      ...services,
    },
  }
  async function deliver(names: TaskName[]) {
    const leaseId = crypto.randomUUID()
    const claimed = await Promise.all(names.map((name) => claimNamed(name, deps.nowMs(), leaseId)))
    const tasks = claimed.flat()
    const claims = Map.groupBy(tasks, ({ kind }) => kind).values()
    await Promise.all(Array.from(claims, (claimed) => runTasks(claimed, deps, TASK_HANDLERS)))
    return countStates(tasks)
  }
  async function listReady(kind: TaskKind | null = null) {
    const { results } = await env.DB.prepare(LIST_READY).bind(deps.nowMs(), kind).all<Required<TaskName>>()
    return results
  }
  async function drain(pick: (ready: Required<TaskName>[]) => Required<TaskName>[] = (ready) => ready) {
    for (let ready = await listReady(); ready.length > 0; ready = await listReady()) await deliver(pick(ready))
  }
  return { deps, rung, listReady, deliver, drain }
}

const recordings = new Map<number, Promise<Uint8Array>>()

/** Making a recording takes longer than working on it, so tests share them. */
function recordingOf(audioMs: number): Promise<Uint8Array> {
  const made = recordings.get(audioMs) ?? makeMedia('mp4', steadyPackets(Math.round(audioMs / 64)))
  recordings.set(audioMs, made)
  return made
}

/** A module in its first run, with audio of the given length in the bucket. */
export async function seedRun(audioMs: number, fields: Parameters<typeof seedModule>[0] = {}) {
  const bytes = await recordingOf(audioMs)
  const module = await seedModule(fields)
  const object = await env.MEDIA.put(module.sourceKey, bytes)
  await env.DB.prepare('UPDATE modules SET source_etag = ?, source_size_bytes = ? WHERE id = ?')
    .bind(object?.etag, bytes.byteLength, module.id)
    .run()
  await env.DB.prepare(
    `INSERT INTO runs (module_id, run, "trigger", started_at, admitted_at) VALUES (?, 1, 'upload', 0, 0)`,
  )
    .bind(module.id)
    .run()
  await addIngestTask(openDb(env.DB), { moduleId: module.id, run: 1 }, { index: 0, nowMs: 0 })
  return { moduleId: module.id, run: 1 }
}
