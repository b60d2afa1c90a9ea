import type { TaskKind } from '#worker/db/task-tables.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { delayAfter } from './run-tasks.ts'
import { claimTasks, findNextDueMs, retryTask } from './tasks.ts'

/** Calls that one invocation may have open; further ones would wait for them (Workers, "simultaneous open connections"). */
export const TASKS_PER_INVOCATION = 6
/** Audio that may be in the isolate's 128 MB at once: in base64 and in the body of the call it takes 2.7 times its size. */
const AUDIO_IN_FLIGHT_BYTES = 34_000_000
/** Invocations that one may start in all (Workers, "32 Worker invocations per request"), less some to be safe. */
const INVOCATIONS_MAX = 30
/** How soon a drain claims what has become ready meanwhile; doubles as long as nothing has. */
const CLAIM_MS = 200
const CLAIM_MAX_MS = 500
/** A delivery may last 15 minutes (Queues, "consumer wall clock time"), and a task that begins late needs some of them. */
const DRAIN_MAX_MS = 8 * 60_000
/** Seconds after which a doorbell is not rung again: a message cannot wait longer (Queues, "message delay"). */
const RING_DELAY_MAX_S = 12 * 60 * 60

/** What a drain can reach. */
export interface Drain extends Pick<RunDeps, 'd1' | 'queues' | 'nowMs'> {
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
export async function drain(kind: TaskKind, deps: Drain): Promise<void> {
  try {
    if (await drainReady(kind, deps)) return await ring(deps, kind)
    const dueMs = await findNextDueMs(deps.d1, kind)
    if (dueMs === null) return
    const delaySeconds = Math.min(RING_DELAY_MAX_S, Math.max(0, Math.ceil((dueMs - deps.nowMs()) / 1000)))
    await ring(deps, kind, { delaySeconds })
  } catch (error) {
    // The watchdog rings again once the database answers.
    logLine('warn', 'drain_failed', { stage: kind, ...faultOf(error) })
  }
}

/** @returns whether it ended for lack of time or invocations */
async function drainReady(kind: TaskKind, deps: Drain): Promise<boolean> {
  // A slice of a video holds tens of megabytes, and takes a third of a second.
  const most = kind === 'ingest' ? 1 : deps.inFlight
  const running = new Map<Promise<void>, Task[]>()
  const untilMs = Date.now() + DRAIN_MAX_MS
  let pauseMs = CLAIM_MS
  for (let invocations = 0; ; ) {
    if (invocations >= INVOCATIONS_MAX || Date.now() >= untilMs) {
      await Promise.all(running.keys())
      return true
    }
    const claimed = await claimGroup(kind, deps, { running, most })
    if (claimed.length > 0) {
      invocations += 1
      pauseMs = CLAIM_MS
      const work: Promise<void> = runGroup(claimed, deps).finally(() => running.delete(work))
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
  const limit = Math.min(TASKS_PER_INVOCATION, most - tasks.length)
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
