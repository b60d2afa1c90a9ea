import { announceModule } from '#worker/domain/live/announce.ts'
import { reportRun } from '#worker/domain/module/run-status-store.ts'
import { failRun, type RunFailure } from '#worker/domain/run/fail-run.ts'
import { AppError, faultOf, isDatabaseAway, isRetryable } from '#worker/errors.ts'
import { type Level, type LineFields, logLine } from '#worker/log/log-line.ts'
import { withTrace } from '#worker/log/trace.ts'
import { BUSY_MS, hold, startHeartbeat } from './heartbeat.ts'
import { ingest } from './ingest.ts'
import { type Attempt, type Job, type JobDeps, traceOf } from './job.ts'
import { openRunSignals, type RunSignals } from './run-signals.ts'
import { transcribe } from './transcribe.ts'
import { writeSteps } from './write-steps.ts'

/** A job with the number of its attempt, as one invocation hands it to another. */
export interface JobTry {
  job: Job
  attempt: number
}

/** What is to become of a job's message: done, or to be delivered again so many seconds later. */
export type JobOutcome = { retryAfterS: number | null }

const DONE: JobOutcome = { retryAfterS: null }
/** Seconds before the first retry; doubles with each attempt. */
const BASE_DELAY_S = 2
const MAX_DELAY_S = 120
/**
 * Nothing can be done without the database: the fewest tries that a queue gives (five, wrangler.toml) outlast two
 * minutes of that. What came back with it is found by the watchdog sooner.
 */
const AWAY_DELAY_S = 30

/** Does some jobs side by side; each ends by itself, so one that fails leaves the others alone. In the order given. */
export function runJobs(tries: JobTry[], deps: JobDeps): Promise<JobOutcome[]> {
  const signals = openRunSignals()
  return Promise.all(
    tries.map((each) => withTrace({ ...traceOf(each.job), attempt: each.attempt }, () => runJob(each, deps, signals))),
  )
}

async function runJob({ job, attempt }: JobTry, deps: JobDeps, signals: RunSignals): Promise<JobOutcome> {
  const startedMs = deps.nowMs()
  const stopRun = () => signals.stop(job)
  const stopBeat = startHeartbeat(job, deps, stopRun)
  const signal = signals.signalOf(job)
  try {
    await perform(job, deps, { number: attempt, signal, stopRun })
    log('info', { outcome: 'done', durationMs: deps.nowMs() - startedMs })
    return DONE
  } catch (error) {
    stopBeat()
    const durationMs = deps.nowMs() - startedMs
    if (!signal.aborted) return await settleFailure({ job, attempt }, deps, { error, durationMs })
    log('info', { outcome: 'stopped', durationMs })
    return DONE
  } finally {
    stopBeat()
  }
}

function perform(job: Job, deps: JobDeps, attempt: Attempt): Promise<void> {
  if (job.kind === 'ingest') return ingest(job, deps, attempt)
  if (job.kind === 'speech') return transcribe(job, deps, attempt)
  return writeSteps(job, deps, attempt)
}

async function settleFailure(
  { job, attempt }: JobTry,
  deps: JobDeps,
  { error, durationMs }: { error: unknown; durationMs: number },
): Promise<JobOutcome> {
  const lasting = error instanceof AppError && !isRetryable(error) ? error : null
  const retryAfterS = delayAfter(error, attempt)
  if (lasting === null) log('warn', { outcome: 'retry', retryAfterS, durationMs, ...faultOf(error) })
  else log('warn', { outcome: 'failed', durationMs, ...faultOf(error) })
  try {
    if (lasting === null) await putOff({ job, attempt }, deps, { error, retryAfterS })
    else await failRun(deps, job, toFailure(lasting))
    return lasting === null ? { retryAfterS } : DONE
  } catch (fault) {
    // Thrown on, it would end the whole delivery and have all that is still at work there done again.
    const laterS = Math.max(retryAfterS, delayAfter(fault, attempt), delayOfLost(attempt))
    logLine('warn', 'job_not_settled', { retryAfterS: laterS, ...faultOf(fault) })
    return { retryAfterS: laterS }
  }
}

async function putOff(
  { job, attempt }: JobTry,
  deps: JobDeps,
  { error, retryAfterS }: { error: unknown; retryAfterS: number },
): Promise<void> {
  const nowMs = deps.nowMs()
  await hold(job, deps, nowMs + retryAfterS * 1000)
  // A single refusal is over before anybody has read of it.
  if (attempt === 1 || !(error instanceof AppError) || error.code !== 'ai_busy') return
  const message = `Waiting for the ${job.kind === 'speech' ? 'speech service' : 'language model'}, which is busy`
  if (await reportRun(deps.db, { ...job, nowMs }, { message })) await announceModule(deps, job.moduleId)
}

function toFailure({ code, failure, message: reason }: AppError): RunFailure {
  if (failure !== null) return { code: failure, reason }
  return { code: code === 'ai_quota' || code === 'no_recogniser' ? code : 'ai_unavailable', reason }
}

/** How long to wait after such a failure. */
export function delayAfter(error: unknown, attempt: number): number {
  if (isDatabaseAway(error)) return AWAY_DELAY_S + Math.floor(Math.random() * AWAY_DELAY_S)
  const askedS = error instanceof AppError ? (error.retryAfterS ?? 0) : 0
  // On top of what the service asks for, so that not everybody comes back at that very moment.
  return askedS + delayOf(attempt)
}

/** Exponential with full jitter above half, so that parts that failed together do not come back together. */
export function delayOf(attempt: number): number {
  const ceiling = Math.min(MAX_DELAY_S, BASE_DELAY_S * 2 ** (attempt - 1))
  return Math.ceil(ceiling * (0.5 + Math.random() / 2))
}

/** Before that, a unit whose worker is gone would still be taken for one that somebody is at work on. */
export function delayOfLost(attempt: number): number {
  return BUSY_MS / 1000 + delayOf(attempt)
}

/** The one line of an attempt. */
function log(level: Level, fields: LineFields): void {
  logLine(level, 'job', fields)
}
