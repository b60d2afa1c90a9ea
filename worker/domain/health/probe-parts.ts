import { type Health, NO_SWEEP_YET } from '#contract/debug.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { logLine } from '#worker/log/log.ts'
import { listOutcomes, type OutcomeRow, type WatchedPart } from './outcome-store.ts'
import { SWEPT_PARTS } from './swept-parts.ts'

/** The health of each part: `ok`, or what is wrong and its consequence. */
export type PartsHealth = Pick<Health, 'd1' | 'r2' | 'queues' | 'ai' | 'durableObjects'>

/** The dependencies that are probed. */
export interface ProbedParts {
  d1: D1Database
  bucket: Pick<R2Bucket, 'head'>
  queues: AskedQueues
  /** Asks a room of no module. */
  askRoom: () => Promise<unknown>
  /** A part that has not answered by then is not waited for. */
  deadlineMs: number
}

const OK = 'ok'

/** What people cannot do while a part is away. */
const WITHOUT = {
  d1: 'nothing can be opened or saved',
  r2: 'videos cannot be uploaded or played',
  queues: 'new videos wait to be processed',
  durableObjects: 'pages learn of changes a few seconds later, and the tutor does not answer',
} as const

/** Probes every part in parallel. Never fails; the reason why a part does not answer is logged, not returned. */
export async function probeParts(parts: ProbedParts, nowMs: number): Promise<PartsHealth> {
  const { d1, bucket, queues, askRoom, deadlineMs } = parts
  const [outcomes, object, backlogs, room] = await Promise.all([
    probe('d1', () => listOutcomes(d1), deadlineMs),
    probe('r2', () => bucket.head('health'), deadlineMs),
    probe('queues', () => readBacklogs(queues, nowMs), deadlineMs),
    probe('durableObjects', askRoom, deadlineMs),
  ])
  const sweep = outcomes.answer === null ? null : describeSweep(outcomes.answer, nowMs)
  const backlog = backlogs.answer === null ? backlogs.status : describeBacklogs(backlogs.answer)
  return {
    d1: outcomes.status,
    r2: object.status,
    queues: [backlog, sweep].filter((fault) => fault !== null).join('; ') || OK,
    ai: outcomes.answer === null ? 'unknown without the database' : describeModels(outcomes.answer),
    durableObjects: room.status,
  }
}

/** Longer than a healthy part takes from anywhere; a browser that times its connection would call it slow by then. */
export const PROBE_DEADLINE_MS = 2_000

/** The same of all parts that a piece of work can reach. */
export function probeContext(context: Context, queues: AskedQueues, nowMs: number): Promise<PartsHealth> {
  const askRoom = () => roomOf(context, 'health').isWell()
  const { d1, bucket } = context
  return probeParts({ d1, bucket, queues, askRoom, deadlineMs: PROBE_DEADLINE_MS }, nowMs)
}

async function probe<Answer>(part: keyof typeof WITHOUT, question: () => Promise<Answer>, deadlineMs: number) {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), deadlineMs)
  try {
    const answer = await Promise.race([question().then((value) => ({ value })), late])
    if (answer !== 'late') return { status: OK, answer: answer.value }
    logLine('warn', 'probe_failed', { probe: part, code: 'late' })
    return { status: `no answer within ${deadlineMs / 1000} s: ${WITHOUT[part]}`, answer: null }
  } catch (error) {
    logLine('warn', 'probe_failed', { probe: part, ...faultOf(error) })
    return { status: `unreachable: ${WITHOUT[part]}`, answer: null }
  } finally {
    clearTimeout(timer)
  }
}

/** Queues with metrics; only the platform sends to the dead letter queue and the queue of event notifications. */
export type AskedQueues = Record<
  'ingest' | 'speech' | 'steps' | 'translations' | 'notices' | 'purges',
  Pick<Queue, 'metrics'>
>

/** The queues of a worker. */
export function openAskedQueues(
  env: Pick<Env, 'INGEST_QUEUE' | 'SPEECH_QUEUE' | 'STEPS_QUEUE' | 'TRANSLATE_QUEUE' | 'NOTICE_QUEUE' | 'PURGE_QUEUE'>,
): AskedQueues {
  return {
    ingest: env.INGEST_QUEUE,
    speech: env.SPEECH_QUEUE,
    steps: env.STEPS_QUEUE,
    translations: env.TRANSLATE_QUEUE,
    notices: env.NOTICE_QUEUE,
    purges: env.PURGE_QUEUE,
  }
}

/** A delivery may last a quarter of an hour (Queues, "consumer wall clock time"); what waits longer has been left. */
const LATE_MS = 15 * 60_000

/** Asks each queue how much waits in it, and for how long; null where the platform does not report that. */
export function readBacklogs(queues: AskedQueues, nowMs: number) {
  return Promise.all(
    Object.entries(queues).map(async ([queue, binding]) => {
      const { backlogCount: count, oldestMessageTimestamp } = await binding.metrics()
      const sentMs = Number(oldestMessageTimestamp ?? 0)
      return { queue, count, oldestMs: count > 0 && sentMs > 0 ? nowMs - sentMs : null }
    }),
  )
}

/** @returns null when nothing waits for too long */
function describeBacklogs(backlogs: Awaited<ReturnType<typeof readBacklogs>>): string | null {
  const late = backlogs.filter(({ oldestMs }) => (oldestMs ?? 0) > LATE_MS)
  if (late.length === 0) return null
  const each = late.map(
    ({ queue, count, oldestMs }) => `${queue} (${count}, ${Math.floor((oldestMs ?? 0) / 60_000)} min)`,
  )
  return `backed up: ${each.join(', ')}`
}

/** A sweep comes every minute and may take one; two that are missing are no accident. */
const SWEEP_LATE_MS = 5 * 60_000

/** The consequence when a model fails. */
const WITHOUT_MODEL: Partial<Record<WatchedPart, string>> = {
  speech: 'videos are not transcribed',
  steps: 'steps are written without a model',
  rewriter: 'texts are rewritten without a model',
  tutor: 'the tutor quotes the video',
}

/** Describes the state of the models, as known from their latest calls. */
function describeModels(rows: readonly OutcomeRow[]): string {
  const models = rows.filter(({ part }) => part in WITHOUT_MODEL)
  if (models.length === 0) return 'not called yet'
  const failing = models.filter(({ okAt, failedAt }) => (failedAt ?? 0) > (okAt ?? 0))
  if (failing.length === 0) return 'ok'
  return failing
    .map(({ part, code, failedAt }) => `${part} failed at ${toTime(failedAt ?? 0)} (${code}): ${WITHOUT_MODEL[part]}`)
    .join('; ')
}

/** @returns null when the sweep comes as it should, and each of its parts ends */
function describeSweep(rows: readonly OutcomeRow[], nowMs: number): string | null {
  const okAt = rows.find(({ part }) => part === 'sweep')?.okAt ?? null
  if (okAt === null) return NO_SWEEP_YET
  if (nowMs - okAt > SWEEP_LATE_MS) return `the sweep has not run since ${toTime(okAt)}: lost work is not found again`
  const late = Object.entries(SWEPT_PARTS).flatMap(([name, without]) => {
    const row = rows.find(({ part }) => part === `sweep:${name}`)
    if (row === undefined || nowMs - (row.okAt ?? 0) <= SWEEP_LATE_MS) return []
    const since = row.okAt === null ? 'yet' : `since ${toTime(row.okAt)}`
    return `the sweep has not come to the end of ${name} ${since}: ${without}`
  })
  return late.length === 0 ? null : late.join('; ')
}

/** To the second, UTC. */
function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
