import { findModule } from '#worker/domain/module/module-store.ts'
import { listIdleParts } from './part-store.ts'
import type { RunDeps } from './run-deps.ts'
import { sendAll } from './run-queues.ts'
import { awaitsVideo, findRun, type RunId, type RunRow } from './run-store.ts'
import { planFormation } from './stretch-plan.ts'
import { listIdleStretches } from './stretch-store.ts'

/**
 * Sends messages for everything that the database says is still to do and nobody is at work on: to begin a run, and to
 * mend one whose messages were lost. What is done already is done once, so asking too often costs messages only.
 */
export async function askForWork(deps: RunDeps, id: RunId): Promise<void> {
  const [module, run] = await Promise.all([findModule(deps.db, id.moduleId), findRun(deps.db, id)])
  if (module === null || run === null || run.endedAt !== null) return
  const hasCaptions = module.transcriptSource === 'captions'
  if (module.sourceEtag !== null && needsVideo(run, hasCaptions))
    await deps.queues.ingest.send({ kind: 'ingest', moduleId: id.moduleId, run: id.run })
  const parts = hasCaptions ? [] : await listIdleParts(deps.db, id, deps.nowMs())
  const stretches = await listIdleStretches(deps.db, id, { formed: run.formedStretches, nowMs: deps.nowMs() })
  await sendAll(
    deps.queues.speech,
    [...parts, ...heardForNext(run, parts)].map((part) => speech(id, part)),
  )
  await sendAll(
    deps.queues.steps,
    [...stretches, ...lastWritten(run)].map((stretch) => steps(id, stretch)),
  )
}

/** To compare a browser's sound with it, or to cut it. */
function needsVideo(run: RunRow, hasCaptions: boolean): boolean {
  return awaitsVideo(run) || (hasCaptions ? run.stretchCount : run.partCount) === null
}

/**
 * The next stretch waits for no part: whoever heard the last of them broke off, or an earlier run heard them all. The
 * message of one that has been heard forms it.
 */
function heardForNext(run: RunRow, idle: number[]): number[] {
  if (run.heardCount === 0 || run.stretchCount !== null) return []
  const { firstNeeded, lastNeeded } = planFormation(run.formedStretches, run.partCount)
  const isAwaited = idle.some((part) => part >= firstNeeded && part <= lastNeeded)
  return isAwaited ? [] : [lastNeeded]
}

/** All written and yet not ended: the same for the last stretch. */
function lastWritten({ stretchCount, writtenStretches }: RunRow): number[] {
  return stretchCount !== null && writtenStretches >= stretchCount ? [stretchCount - 1] : []
}

function speech({ moduleId, run }: RunId, part: number) {
  return { kind: 'speech', moduleId, run, part } as const
}

function steps({ moduleId, run }: RunId, stretch: number) {
  return { kind: 'steps', moduleId, run, stretch } as const
}
