import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import { logLine } from '#worker/log/log.ts'
import { claimTasks, findNextDueMs } from './claim-tasks.ts'
import { ring } from './ring.ts'
import { settleFailure } from './settle-failure.ts'
import type { Task, TaskHandlers } from './task.ts'
import { withTaskTrace } from './trace-task.ts'

/** Calls that one invocation may have open; further ones would wait for them (Workers, "simultaneous open connections"). */
export const TASKS_PER_INVOCATION = 6
/** Bytes that may be in the isolate's 128 MB at once: in base64 and in the body of a call they take 2.7 times their size. */
const BYTES_IN_FLIGHT = 34_000_000
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
export const DRAIN_MAX_MS = 8 * 60_000
/** Seconds after which a doorbell is not rung again: a message cannot wait longer (Queues, "message delay"). */
const RING_DELAY_MAX_S = 12 * 60 * 60

/** What a drain can reach. */
export interface Drain extends Context {
  handlers: TaskHandlers
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
    const { subject } = context.handlers[kind]
    const dueMs = await findNextDueMs(context.d1, { kind, subject })
    if (dueMs === null) return
    const delaySeconds = Math.min(RING_DELAY_MAX_S, Math.max(0, Math.ceil((dueMs - context.nowMs()) / 1000)))
    await ring(context, kind, { delaySeconds })
  } catch (error) {
    // Recovery rings again once the database answers.
    logLine('warn', 'drain_failed', { stage: kind, ...faultOf(error) })
  }
}

/** @returns whether it ended for lack of time, invocations or claims */
async function drainReady(kind: TaskKind, context: Drain): Promise<boolean> {
  const running = new Map<Promise<void>, Task[]>()
  const untilMs = context.nowMs() + DRAIN_MAX_MS
  let pauseMs = CLAIM_MS
  let invocations = 0
  for (let claims = 0; ; claims += 1) {
    if (invocations >= INVOCATIONS_MAX || claims >= CLAIMS_MAX || context.nowMs() >= untilMs) {
      await Promise.all(running.keys())
      return true
    }
    const claimed = await claimGroup(kind, context, [...running.values()].flat())
    if (claimed.length > 0) {
      invocations += 1
      pauseMs = CLAIM_MS
      const work: Promise<void> = runGroup(claimed, context).finally(() => running.delete(work))
      running.set(work, claimed)
    } else if (running.size === 0) return false
    else pauseMs = (await settlesWithin([...running.keys()], pauseMs)) ? CLAIM_MS : Math.min(CLAIM_MAX_MS, pauseMs * 2)
  }
}

async function claimGroup(kind: TaskKind, context: Drain, inProgress: readonly Task[]): Promise<Task[]> {
  const { d1, nowMs, handlers, inFlight } = context
  const { subject, perInvocation, inFlightMax = inFlight } = handlers[kind]
  const isIdle = inProgress.length === 0
  const limit = Math.min(perInvocation, Math.min(inFlight, inFlightMax) - inProgress.length)
  if (limit <= 0) return []
  const bytes = BYTES_IN_FLIGHT - inProgress.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  try {
    return await claimTasks(d1, { kind, subject, limit, bytes, isIdle, nowMs: nowMs() })
  } catch (error) {
    // Thrown on, it would end the invocations that are in progress for this one.
    if (isIdle) throw error
    logLine('warn', 'claim_failed', { stage: kind, ...faultOf(error) })
    return []
  }
}

async function runGroup(tasks: Task[], context: Drain): Promise<void> {
  try {
    await context.runTasks(tasks)
  } catch (error) {
    // The invocation itself ended, out of memory or time: what it did not settle has failed once more.
    logLine('error', 'invocation_lost', { count: tasks.length, ...faultOf(error) })
    await Promise.all(
      tasks.map((task) => {
        const handler = context.handlers[task.kind]
        return withTaskTrace(task, handler, () => settleFailure(task, { context, handler }, { error }))
      }),
    )
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
