import { reportRun } from '#worker/domain/module/run-status-store.ts'
import { holdPart } from '#worker/domain/run/part-store.ts'
import { holdStretch } from '#worker/domain/run/stretch-store.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { Job, JobDeps } from './job.ts'

/** How often whoever waits for a model says that it is still there. */
const BEAT_MS = 10_000
/** A unit without a beat for this long is free to be taken up by somebody else. */
export const BUSY_MS = 30_000

/**
 * Gives a sign of life while a job is at work, so that nobody takes its message for lost.
 * @param onEnded called when the run has ended or was overtaken meanwhile
 * @returns what stops the beat
 */
export function startHeartbeat(job: Job, deps: JobDeps, onEnded: () => void): () => void {
  const stop = new AbortController()
  const timer = setInterval(() => void beat({ job, deps, onEnded, stopped: stop.signal }), BEAT_MS)
  return () => {
    stop.abort()
    clearInterval(timer)
  }
}

interface Beat {
  job: Job
  deps: JobDeps
  onEnded: () => void
  stopped: AbortSignal
}

async function beat({ job, deps, onEnded, stopped }: Beat): Promise<void> {
  const nowMs = deps.nowMs()
  try {
    const isCurrent = await reportRun(deps.db, { moduleId: job.moduleId, run: job.run, nowMs }, {})
    // Whoever stopped meanwhile has said until when the unit is to wait.
    if (stopped.aborted) return
    if (isCurrent) await hold(job, deps, nowMs + BUSY_MS)
    else onEnded()
  } catch (error) {
    logLine('warn', 'beat_missed', faultOf(error))
  }
}

/** Keeps others from taking a job's unit up until then; an ingest has no unit, its cursor keeps it apart. */
export async function hold(job: Job, deps: JobDeps, untilMs: number): Promise<void> {
  if (job.kind === 'speech') await holdPart(deps.db, job, job.part, untilMs)
  if (job.kind === 'steps') await holdStretch(deps.db, job, job.stretch, untilMs)
}
