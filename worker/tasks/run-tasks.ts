import { RUN_MESSAGES } from '#contract/module.ts'
import type { Context, ServedContext } from '#worker/core/context.ts'
import { AppError, faultOf, isRetryable } from '#worker/core/errors.ts'
import type { TaskKind } from '#worker/db/schema.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { type CurrentRun, findCurrentRun, reportRun } from '#worker/domain/run/run-store.ts'
import { failRun, type RunFailure } from '#worker/domain/run/start-run.ts'
import {
  claimTasks,
  extendLeases,
  findNextDueMs,
  LEASE_MS,
  retryTask,
  ring,
  type Task,
  wakeBusyTasks,
} from './task-store.ts'
import { logLine, type Trace, withTrace } from '#worker/log/log.ts'
import { ingest } from '#worker/pipeline/ingest.ts'
import { type Attempt, delayAfter, isOnlyWaiting, MAX_ATTEMPTS, planRetry } from './retry.ts'
import { transcribe } from '#worker/pipeline/transcribe.ts'
import { giveUpTranslation, translate } from '#worker/pipeline/translate.ts'
import { writeSteps } from '#worker/pipeline/write-steps.ts'

const STAGES = { ingest, transcribe, write_steps: writeSteps, translate }

const GAVE_UP: RunFailure = {
  code: 'gave_up',
  reason:
    'Processing was tried several times without success. Nothing of your video is lost: please try again in a few minutes.',
}

/** The sweep resumes such a run (`resumeModule`). */
const BUSY_TOO_LONG: RunFailure = {
  code: 'ai_busy',
  reason:
    'The speech service has been busy for three hours. Nothing of your video is lost, and Adapt goes on by itself once the service answers.',
}

/** The same of a translation, which its owner begins again. */
const TRANSLATE_REASONS: Partial<Record<RunFailure['code'], string>> = {
  gave_up: 'Translating was tried several times without success.',
  ai_busy: 'The translation service has been busy for three hours.',
}

/** Does tasks of one claim side by side, and settles each by itself: one that fails leaves the others alone. */
export async function runTasks(tasks: Task[], context: ServedContext): Promise<void> {
  const controllers = new Map(tasks.map((task) => [runOf(task), new AbortController()]))
  const currents = new Map<string, Promise<CurrentRun | null>>()
  const stopBeat = startHeartbeat(tasks, context, controllers)
  const runOne = (task: Task) => {
    const controller = controllers.get(runOf(task)) ?? new AbortController()
    const findCurrent = () => {
      const current = currents.get(runOf(task)) ?? findCurrentRun(context, task)
      currents.set(runOf(task), current)
      return current
    }
    const attempt = { findCurrent, signal: controller.signal, stopRun: () => controller.abort() }
    return withTrace(traceOf(task), () => runTask(task, context, attempt))
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
function startHeartbeat(tasks: Task[], context: ServedContext, controllers: Map<string, AbortController>): () => void {
  async function beat(): Promise<void> {
    try {
      const kept = new Set((await extendLeases(context.d1, tasks, context.nowMs())).map(runOf))
      for (const [run, controller] of controllers) if (!kept.has(run)) controller.abort()
    } catch (error) {
      logLine('warn', 'heartbeat_missed', faultOf(error))
    }
  }
  const timer = setInterval(() => void beat(), LEASE_MS / 3)
  return () => clearInterval(timer)
}

async function runTask(task: Task, context: ServedContext, attempt: Attempt): Promise<void> {
  const startedMs = context.nowMs()
  try {
    // Each of its workers died: with a model or without, nothing more is tried.
    if (task.attempts >= MAX_ATTEMPTS) {
      logLine('warn', 'task', { outcome: 'failed', code: GAVE_UP.code })
      return await endTask(task, context, GAVE_UP)
    }
    await STAGES[task.kind](task, context, attempt)
    logLine('info', 'task', { outcome: 'done', durationMs: context.nowMs() - startedMs })
    // Steps do not wait for long: the extractive engine writes them.
    if (task.kind === 'transcribe' && task.isAnyBusy) await wakeOthers(task, context)
  } catch (error) {
    const durationMs = context.nowMs() - startedMs
    if (attempt.signal.aborted) logLine('info', 'task', { outcome: 'stopped', durationMs })
    else await settleFailure(task, context, { error, durationMs })
  }
}

/** New tasks have no pause, and would otherwise pass by those that a busy model has refused for long. */
async function wakeOthers({ kind }: Task, { d1, nowMs }: ServedContext): Promise<void> {
  try {
    await wakeBusyTasks(d1, kind, nowMs())
  } catch (error) {
    // Their pauses end by themselves.
    logLine('warn', 'wake_failed', { stage: kind, ...faultOf(error) })
  }
}

/** A run fails with each of its tasks; a translation belongs to none. */
async function endTask(task: Task, context: ServedContext, failure: RunFailure): Promise<void> {
  if (task.kind === 'translate')
    await giveUpTranslation(context, task, { ...failure, reason: TRANSLATE_REASONS[failure.code] ?? failure.reason })
  else await failRun(context, task, failure, task)
}

async function settleFailure(
  task: Task,
  context: ServedContext,
  { error, durationMs }: { error: unknown; durationMs: number },
): Promise<void> {
  const next = planRetry(task, error, context.nowMs())
  const retryAfterS = next === null ? 0 : Math.ceil((next.nextAttemptAt - context.nowMs()) / 1000)
  if (next === null) logLine('warn', 'task', { outcome: 'failed', durationMs, ...faultOf(error) })
  else logLine('warn', 'task', { outcome: 'retry', retryAfterS, durationMs, ...faultOf(error) })
  try {
    if (next === null) return await endTask(task, context, failureOf(error))
    await retryTask(context.d1, task, next)
    const isBusyAgain = task.busySince !== null && next.busySince !== null
    if (task.kind === 'translate') return
    if (isBusyAgain || isOnlyWaiting(error, task, context.nowMs())) await reportBusy(task, context, error)
  } catch (fault) {
    // The lease runs out, and the task is claimed again.
    logLine('warn', 'task_not_settled', faultOf(fault))
  }
}

/** A single refusal of a model is over before anybody has read of it; one of our pace takes a minute. */
async function reportBusy(task: Task, context: ServedContext, error: unknown): Promise<void> {
  const { preparesSpeech, waitsForSpeech, waitsForModel } = RUN_MESSAGES
  const isPreparing = error instanceof AppError && error.isPreparing
  const speech = isPreparing ? preparesSpeech : waitsForSpeech
  const report = { message: task.kind === 'transcribe' ? speech : waitsForModel }
  if (await reportRun(context.db, { ...task, nowMs: context.nowMs() }, report))
    await publishModule(context, task.moduleId)
}

function failureOf(error: unknown): RunFailure {
  if (error instanceof AppError && error.code === 'ai_busy') return BUSY_TOO_LONG
  if (!(error instanceof AppError) || isRetryable(error)) return GAVE_UP
  const { code, failure, message: reason } = error
  if (failure !== null) return { code: failure, reason }
  return { code: code === 'ai_quota' || code === 'no_recogniser' ? code : 'ai_unavailable', reason }
}

/** Calls that one invocation may have open; further ones would wait for them (Workers, "simultaneous open connections"). */
export const TASKS_PER_INVOCATION = 6
/** Audio that may be in the isolate's 128 MB at once: in base64 and in the body of the call it takes 2.7 times its size. */
const AUDIO_IN_FLIGHT_BYTES = 34_000_000
/** Invocations that one may start in all (Workers, "32 Worker invocations per request"), less some to be safe. */
const INVOCATIONS_MAX = 30
/** How soon a drain claims what has become ready meanwhile; doubles as long as nothing has. */
const CLAIM_MS = 200
const CLAIM_MAX_MS = 500
/**
 * Claims of one drain: D1 answers a thousand queries of an invocation (D1, "Limits"), and a call that hangs for minutes
 * would have it ask twice a second meanwhile.
 */
export const CLAIMS_MAX = 500
/** A delivery may last 15 minutes (Queues, "consumer wall clock time"), and a task that begins late needs some of them. */
const DRAIN_MAX_MS = 8 * 60_000
/** Seconds after which a doorbell is not rung again: a message cannot wait longer (Queues, "message delay"). */
const RING_DELAY_MAX_S = 12 * 60 * 60

/** What a drain can reach. */
export interface Drain extends Pick<Context, 'd1' | 'queues' | 'nowMs'> {
  /** Does tasks in an invocation of its own, which has its own open connections. */
  runTasks: (tasks: Task[]) => Promise<void>
  /** How many tasks may be in progress at once. */
  inFlight: number
}

/** @throws where the text of JOBS_IN_FLIGHT is not a whole number of at least 1 */
export function readInFlight({ JOBS_IN_FLIGHT: text }: Env): number {
  const inFlight = Number(text)
  // With none, or NaN, no task would begin.
  if (!Number.isInteger(inFlight) || inFlight < 1) {
    throw new Error(`JOBS_IN_FLIGHT is not a number of tasks of at least 1: ${text}`)
  }
  return inFlight
}

/**
 * Claims and does tasks of a kind until none is ready, also those that become ready meanwhile: a local broker hands out
 * one batch at a time, and a hosted one starts consumers slowly. What is due later, or is too much for one delivery,
 * gets a doorbell of its own.
 */
export async function drain(kind: TaskKind, context: Drain): Promise<void> {
  try {
    if (await drainReady(kind, context)) return await ring(context, kind)
    const dueMs = await findNextDueMs(context.d1, kind)
    if (dueMs === null) return
    const delaySeconds = Math.min(RING_DELAY_MAX_S, Math.max(0, Math.ceil((dueMs - context.nowMs()) / 1000)))
    await ring(context, kind, { delaySeconds })
  } catch (error) {
    // The watchdog rings again once the database answers.
    logLine('warn', 'drain_failed', { stage: kind, ...faultOf(error) })
  }
}

/** @returns whether it ended for lack of time, invocations or claims */
async function drainReady(kind: TaskKind, context: Drain): Promise<boolean> {
  // A slice of a video holds tens of megabytes, and takes a third of a second.
  const most = kind === 'ingest' ? 1 : context.inFlight
  const running = new Map<Promise<void>, Task[]>()
  const untilMs = context.nowMs() + DRAIN_MAX_MS
  let pauseMs = CLAIM_MS
  let invocations = 0
  for (let claims = 0; ; claims += 1) {
    if (invocations >= INVOCATIONS_MAX || claims >= CLAIMS_MAX || context.nowMs() >= untilMs) {
      await Promise.all(running.keys())
      return true
    }
    const claimed = await claimGroup(kind, context, { running, most })
    if (claimed.length > 0) {
      invocations += 1
      pauseMs = CLAIM_MS
      const work: Promise<void> = runGroup(claimed, context).finally(() => running.delete(work))
      running.set(work, claimed)
    } else if (running.size === 0) return false
    else pauseMs = (await settlesWithin([...running.keys()], pauseMs)) ? CLAIM_MS : Math.min(CLAIM_MAX_MS, pauseMs * 2)
  }
}

async function claimGroup(
  kind: TaskKind,
  { d1, nowMs }: Drain,
  { running, most }: { running: Map<Promise<void>, Task[]>; most: number },
): Promise<Task[]> {
  const tasks = [...running.values()].flat()
  // A translation makes several calls at once.
  const limit = Math.min(kind === 'translate' ? 1 : TASKS_PER_INVOCATION, most - tasks.length)
  if (limit <= 0) return []
  const bytes = AUDIO_IN_FLIGHT_BYTES - tasks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  try {
    return await claimTasks(d1, kind, { limit, bytes, isIdle: tasks.length === 0, nowMs: nowMs() })
  } catch (error) {
    // Thrown on, it would end the invocations that are at work for this one.
    if (tasks.length === 0) throw error
    logLine('warn', 'claim_failed', { stage: kind, ...faultOf(error) })
    return []
  }
}

async function runGroup(tasks: Task[], { d1, nowMs, runTasks }: Drain): Promise<void> {
  try {
    await runTasks(tasks)
  } catch (error) {
    // The invocation itself ended, out of memory or time: what it did not settle has failed once more.
    logLine('error', 'invocation_lost', { count: tasks.length, ...faultOf(error) })
    const retry = (task: Task) => {
      const next = { attempts: task.attempts + 1, busySince: null }
      return retryTask(d1, task, { ...next, nextAttemptAt: nowMs() + delayAfter(error, task.attempts) * 1000 })
    }
    await Promise.all(tasks.map(retry)).catch((fault: unknown) => logLine('warn', 'task_not_settled', faultOf(fault)))
  }
}

/** @returns whether some work ended within that time */
async function settlesWithin(work: Promise<void>[], ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const hasEnded = await Promise.race([timeout, ...work.map((each) => each.then(() => true as const))])
  clearTimeout(timer)
  return hasEnded
}
