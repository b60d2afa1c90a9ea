import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { type AlertRun, alertOfHealth } from '#worker/domain/health/alert-of-health.ts'
import { upsertOutcome } from '#worker/domain/health/outcome-store.ts'
import { type AskedQueues, probeContext, readBacklogs } from '#worker/domain/health/probe-parts.ts'
import { SWEPT_PARTS, type SweptPart } from '#worker/domain/health/swept-parts.ts'
import { currentTrace, logLine, withTrace } from '#worker/log/log.ts'
import type { PartDone } from './sweep-parts.ts'

/** Does one part of a sweep in an invocation of its own. */
export type RunPart = (part: SweptPart, requestId: string | undefined) => Promise<PartDone>

/** What a sweep did, in numbers. */
export interface SweepCounts {
  [count: string]: number
  /** Items that failed and are retried by the next sweep. */
  failed: number
  /** Items that are left to the next sweep. */
  left: number
  /** Parts that broke off. */
  broken: number
}

/**
 * Scheduled work: looks after every module that has gone quiet, in case its room's own watchdog did not, starts what was
 * uploaded without a notification, cancels unfinished uploads, removes what was deleted or has served its time, and marks
 * answers as interrupted whose worker has stopped. Each part has an invocation of its own, so that none takes the queries
 * or the processor's time of the others, and one that breaks off keeps none from its work.
 */
export async function sweep(context: Context, runPart: RunPart): Promise<SweepCounts> {
  const startMs = context.nowMs()
  const counts: SweepCounts = { failed: 0, left: 0, broken: 0 }
  const add = (name: string, count: number) => (counts[name] = (counts[name] ?? 0) + count)
  for (const part of Object.keys(SWEPT_PARTS) as SweptPart[]) {
    const done = await endPart(context, part, runPart)
    if (done === null) add('broken', 1)
    for (const [name, count] of Object.entries(done?.counts ?? {})) add(name, count)
    add('left', done?.left ?? 0)
  }
  logLine('info', 'sweep', { durationMs: context.nowMs() - startMs, counts })
  return counts
}

/** Does one part and keeps how it ended, for the health check. @returns null where it broke off */
async function endPart({ d1, nowMs }: Context, part: SweptPart, runPart: RunPart): Promise<PartDone | null> {
  const keep = (code: string | null) => upsertOutcome(d1, { part: `sweep:${part}`, code, nowMs: nowMs() })
  try {
    const done = await runPart(part, currentTrace().requestId)
    if (done.left > 0) logLine('warn', 'sweep_part', { stage: part, outcome: 'left', count: done.left })
    await keep(done.left > 0 ? 'left' : null)
    return done
  } catch (error) {
    const fault = faultOf(error)
    logLine('error', 'sweep_part', { stage: part, outcome: 'failed', ...fault })
    await keep(fault.code).catch(() => undefined)
    return null
  }
}

/** What one scheduled run asks besides the context. */
export interface ScheduledRun {
  queues: AskedQueues
  runPart: RunPart
  /** Null: nothing is sent. */
  alerts: AlertRun | null
}

/**
 * One scheduled run: leaves a sign that it was there, sweeps, writes down what waits in the queues, and sends an alert
 * where health has been bad for long.
 */
export function runSweep(context: Context, { queues, runPart, alerts }: ScheduledRun): Promise<void> {
  return withTrace({ requestId: crypto.randomUUID() }, async () => {
    try {
      // Recorded first, so that a part that fails does not hide that the sweep runs.
      await upsertOutcome(context.d1, { part: 'sweep', code: null, nowMs: context.nowMs() })
      await sweep(context, runPart)
      await logBacklogs(queues, context.nowMs())
      if (alerts !== null) await alertOfHealth(context, await probeContext(context, queues, context.nowMs()), alerts)
    } catch (error) {
      // The next sweep is in a minute, and checks everything again.
      logLine('error', 'sweep', { outcome: 'failed', ...faultOf(error) })
      throw error
    }
  })
}

async function logBacklogs(queues: AskedQueues, nowMs: number): Promise<void> {
  try {
    const backlogs = await readBacklogs(queues, nowMs)
    logLine('info', 'backlog', { counts: Object.fromEntries(backlogs.map(({ queue, count }) => [queue, count])) })
  } catch (error) {
    logLine('warn', 'backlog', { outcome: 'failed', ...faultOf(error) })
  }
}
