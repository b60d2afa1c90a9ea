import type { FailureCode } from '#contract/module.ts'
import { reportRun } from '#worker/domain/module/module-store.ts'
import { AppError, describeError, isRetryable } from '#worker/errors.ts'
import { failRun } from './fail-run.ts'
import { ingest } from './ingest.ts'
import { Job, type JobDeps } from './job.ts'
import { transcribe } from './transcribe.ts'
import { writeSteps } from './write-steps.ts'

const ALIVE_EVERY_MS = 60_000
/** Seconds before the first retry; doubles with each attempt. */
const BASE_DELAY_S = 2
const MAX_DELAY_S = 120

/** Handles a batch's messages side by side; each is settled by itself, so one bad message never replays the others. */
export async function consume(batch: MessageBatch<unknown>, deps: JobDeps): Promise<void> {
  await Promise.all(batch.messages.map((message) => settle(message, deps)))
}

async function settle(message: Message<unknown>, deps: JobDeps): Promise<void> {
  const job = Job.safeParse(message.body)
  // Not ours to understand: retries lead it to the dead-letter queue, whose consumer ends the module.
  if (!job.success) return message.retry({ delaySeconds: delayOf(message.attempts) })
  const startedMs = deps.nowMs()
  const beat = setInterval(() => void reportAlive(job.data, deps), ALIVE_EVERY_MS)
  try {
    await perform(job.data, deps)
    log({ ...job.data, attempt: message.attempts, outcome: 'done', durationMs: deps.nowMs() - startedMs })
    message.ack()
  } catch (error) {
    await settleFailure({ job: job.data, message, error, deps })
  } finally {
    clearInterval(beat)
  }
}

/** A call to a model may take minutes; the sweep must not take it for a lost message. */
async function reportAlive(job: Job, deps: JobDeps): Promise<void> {
  try {
    await reportRun(deps.db, { moduleId: job.moduleId, run: job.run, nowMs: deps.nowMs() }, {})
  } catch (error) {
    log({ ...job, outcome: 'beat_missed', cause: describeError(error) })
  }
}

function perform(job: Job, deps: JobDeps): Promise<void> {
  if (job.kind === 'ingest') return ingest(job, deps)
  if (job.kind === 'speech') return transcribe(job, deps)
  return writeSteps(job, deps)
}

async function settleFailure(failed: {
  job: Job
  message: Message<unknown>
  error: unknown
  deps: JobDeps
}): Promise<void> {
  const { job, message, error, deps } = failed
  const retry = isRetryable(error)
  log({ ...job, attempt: message.attempts, outcome: retry ? 'retry' : 'failed', cause: describeError(error) })
  if (retry) return message.retry({ delaySeconds: delayFor(error, message.attempts) })
  try {
    await failRun(deps, job, toFailure(error))
    message.ack()
  } catch (fault) {
    // Thrown on, it would end the whole delivery and have all that is still at work there done again.
    log({ ...job, attempt: message.attempts, outcome: 'retry', cause: describeError(fault) })
    message.retry({ delaySeconds: delayOf(message.attempts) })
  }
}

function toFailure(error: unknown): { code: FailureCode; reason: string } {
  const reason = error instanceof Error ? error.message : String(error)
  if (!(error instanceof AppError)) return { code: 'gave_up', reason }
  if (error.failure !== null) return { code: error.failure, reason }
  if (error.code === 'ai_quota') return { code: 'ai_quota', reason }
  return { code: error.code === 'no_recogniser' ? 'no_recogniser' : 'ai_unavailable', reason }
}

function delayFor(error: unknown, attempts: number): number {
  const asked = error instanceof AppError ? error.retryAfterS : null
  return asked ?? delayOf(attempts)
}

/** Exponential with full jitter above half, so that parts that failed together do not come back together. */
function delayOf(attempts: number): number {
  const ceiling = Math.min(MAX_DELAY_S, BASE_DELAY_S * 2 ** (attempts - 1))
  return Math.ceil(ceiling * (0.5 + Math.random() / 2))
}

function log(line: Record<string, unknown>): void {
  console.log({ event: 'job', ...line })
}
