import { publishModule } from '#worker/domain/live/publish.ts'
import { type CurrentRun, findCurrentRun } from '#worker/domain/run/current-run.ts'
import { failRun, type RunFailure } from '#worker/domain/run/fail-run.ts'
import { reportRun } from '#worker/domain/run/run-status-store.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { AppError, faultOf, isDatabaseAway, isRetryable } from '#worker/errors.ts'
import { type Level, type LineFields, logLine } from '#worker/log/log-line.ts'
import { type Trace, withTrace } from '#worker/log/trace.ts'
import { ingest } from './ingest.ts'
import {
  type Attempt,
  BUSY_MAX_MS,
  extendLeases,
  LEASE_MS,
  MAX_ATTEMPTS,
  type NextAttempt,
  retryTask,
  type TaskDeps,
} from './tasks.ts'
import { transcribe } from './transcribe.ts'
import { writeSteps } from './write-steps.ts'

const STAGES = { ingest, transcribe, write_steps: writeSteps }

/** Seconds before the first retry; doubles with each failure. */
const BASE_DELAY_S = 2
const MAX_DELAY_S = 120
/** Nothing can be done without the database. */
const AWAY_DELAY_S = 30

const GAVE_UP: RunFailure = {
  code: 'gave_up',
  reason:
    'Processing was tried several times without success. Nothing of your video is lost: please try again in a few minutes.',
}

/** Does tasks of one claim side by side, and settles each by itself: one that fails leaves the others alone. */
export async function runTasks(tasks: Task[], deps: TaskDeps): Promise<void> {
  const controllers = new Map(tasks.map((task) => [runOf(task), new AbortController()]))
  const currents = new Map<string, Promise<CurrentRun | null>>()
  const stopBeat = startHeartbeat(tasks, deps, controllers)
  const runOne = (task: Task) => {
    const controller = controllers.get(runOf(task)) ?? new AbortController()
    const findCurrent = () => {
      const current = currents.get(runOf(task)) ?? findCurrentRun(deps, task)
      currents.set(runOf(task), current)
      return current
    }
    const attempt = { findCurrent, signal: controller.signal, stopRun: () => controller.abort() }
    return withTrace(traceOf(task), () => runTask(task, deps, attempt))
  }
  await Promise.all(tasks.map(runOne)).finally(stopBeat)
}

function runOf({ moduleId, run }: { moduleId: string; run: number }): string {
  return `${moduleId}/${run}`
}

function traceOf({ kind: stage, moduleId, run, index, attempts, requestId }: Task): Trace {
  const unit = stage === 'transcribe' ? { chunk: index } : stage === 'write_steps' ? { section: index } : {}
  return { requestId: requestId ?? undefined, stage, moduleId, run, ...unit, attempt: attempts + 1 }
}

/** Says every third of the lease that this invocation is alive, and stops what is not its own any more. */
function startHeartbeat(tasks: Task[], deps: TaskDeps, controllers: Map<string, AbortController>): () => void {
  async function beat(): Promise<void> {
    try {
      const kept = new Set((await extendLeases(deps.d1, tasks, deps.nowMs())).map(runOf))
      for (const [run, controller] of controllers) if (!kept.has(run)) controller.abort()
    } catch (error) {
      logLine('warn', 'heartbeat_missed', faultOf(error))
    }
  }
  const timer = setInterval(() => void beat(), LEASE_MS / 3)
  return () => clearInterval(timer)
}

async function runTask(task: Task, deps: TaskDeps, attempt: Attempt): Promise<void> {
  const startedMs = deps.nowMs()
  try {
    // Each of its workers died: with a model or without, nothing more is tried.
    if (task.attempts >= MAX_ATTEMPTS) return await giveUp(task, deps)
    await STAGES[task.kind](task, deps, attempt)
    log('info', { outcome: 'done', durationMs: deps.nowMs() - startedMs })
  } catch (error) {
    const durationMs = deps.nowMs() - startedMs
    if (attempt.signal.aborted) log('info', { outcome: 'stopped', durationMs })
    else await settleFailure(task, deps, { error, durationMs })
  }
}

async function giveUp(task: Task, deps: TaskDeps): Promise<void> {
  log('warn', { outcome: 'failed', code: GAVE_UP.code })
  await failRun(deps, task, GAVE_UP, task)
}

async function settleFailure(
  task: Task,
  deps: TaskDeps,
  { error, durationMs }: { error: unknown; durationMs: number },
): Promise<void> {
  const next = planRetry(task, error, deps.nowMs())
  const retryAfterS = next === null ? 0 : Math.ceil((next.nextAttemptAt - deps.nowMs()) / 1000)
  if (next === null) log('warn', { outcome: 'failed', durationMs, ...faultOf(error) })
  else log('warn', { outcome: 'retry', retryAfterS, durationMs, ...faultOf(error) })
  try {
    if (next === null) return await failRun(deps, task, failureOf(error), task)
    await retryTask(deps.d1, task, next)
    if (task.busySince !== null && next.busySince !== null) await reportBusy(task, deps)
  } catch (fault) {
    // The lease runs out, and the task is claimed again.
    logLine('warn', 'task_not_settled', faultOf(fault))
  }
}

/** Plans the next attempt after a failure. Null: there is none, the run fails. */
export function planRetry(
  { attempts, busySince }: Pick<Task, 'attempts' | 'busySince'>,
  error: unknown,
  nowMs: number,
): NextAttempt | null {
  if (error instanceof AppError && !isRetryable(error)) return null
  if (error instanceof AppError && error.code === 'ai_busy') {
    const sinceMs = busySince ?? nowMs
    if (nowMs - sinceMs >= BUSY_MAX_MS) return null
    // As long again as it has been busy: the pauses double.
    const pauseS = (error.retryAfterS ?? 0) + spread(Math.max(BASE_DELAY_S, (nowMs - sinceMs) / 1000))
    return { attempts, busySince: sinceMs, nextAttemptAt: nowMs + pauseS * 1000 }
  }
  if (attempts + 1 >= MAX_ATTEMPTS) return null
  const pauseS = delayAfter(error, attempts)
  return { attempts: attempts + 1, busySince: null, nextAttemptAt: nowMs + pauseS * 1000 }
}

/** How many seconds to wait after a failure. @param failures before this one */
export function delayAfter(error: unknown, failures: number): number {
  const asked = error instanceof AppError ? (error.retryAfterS ?? 0) : 0
  if (isDatabaseAway(error)) return spread(2 * AWAY_DELAY_S)
  // On top of what the service asks for, so that not all come back at that very moment.
  return asked + spread(BASE_DELAY_S * 2 ** failures)
}

/** Full jitter above half, so that tasks that failed together do not come back together. */
function spread(seconds: number): number {
  return Math.ceil(Math.min(MAX_DELAY_S, seconds) * (0.5 + Math.random() / 2))
}

/** A single refusal is over before anybody has read of it. */
async function reportBusy(task: Task, deps: TaskDeps): Promise<void> {
  const service = task.kind === 'transcribe' ? 'speech service' : 'language model'
  const report = { message: `Waiting for the ${service}, which is busy` }
  if (await reportRun(deps.db, { ...task, nowMs: deps.nowMs() }, report)) await publishModule(deps, task.moduleId)
}

function failureOf(error: unknown): RunFailure {
  if (!(error instanceof AppError) || isRetryable(error)) return GAVE_UP
  const { code, failure, message: reason } = error
  if (failure !== null) return { code: failure, reason }
  return { code: code === 'ai_quota' || code === 'no_recogniser' ? code : 'ai_unavailable', reason }
}

/** The one line of an attempt. */
function log(level: Level, fields: LineFields): void {
  logLine(level, 'task', fields)
}
