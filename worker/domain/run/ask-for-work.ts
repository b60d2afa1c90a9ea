import { findModule } from '#worker/domain/module/module-store.ts'
import { findHeardPart, listIdleParts } from './part-store.ts'
import type { RunDeps } from './run-deps.ts'
import { sendAll } from './run-queues.ts'
import { findRun, type RunId, type RunRow } from './run-store.ts'
import { listIdleStretches } from './stretch-store.ts'

/**
 * Sends messages for everything that the database says is still to do and nobody is at work on: to begin a run, and to
 * mend one whose messages were lost. What is done already is done once, so asking too often costs messages only.
 */
export async function askForWork(deps: RunDeps, id: RunId): Promise<void> {
  const [module, run] = await Promise.all([findModule(deps.db, id.moduleId), findRun(deps.db, id)])
  if (module === null || run === null || run.endedAt !== null) return
  const hasCaptions = module.transcriptSource === 'captions'
  const isCut = hasCaptions ? run.stretchCount !== null : run.partCount !== null
  if (!isCut) await deps.queues.ingest.send({ kind: 'ingest', moduleId: id.moduleId, run: id.run })
  const parts = hasCaptions ? [] : await listIdleParts(deps.db, id, deps.nowMs())
  const stretches = await listIdleStretches(deps.db, id, { formed: run.formedStretches, nowMs: deps.nowMs() })
  await sendAll(
    deps.queues.speech,
    [...parts, ...(await findHeard(deps, run))].map((part) => speech(id, part)),
  )
  await sendAll(
    deps.queues.steps,
    [...stretches, ...lastWritten(run)].map((stretch) => steps(id, stretch)),
  )
}

/**
 * Whoever heard the last part of a stretch may have broken off before the stretch was formed, or it was heard in an
 * earlier run: the message of any heard part lets somebody look.
 */
async function findHeard(deps: RunDeps, run: RunRow): Promise<number[]> {
  if (run.heardCount === 0 || run.stretchCount !== null) return []
  const part = await findHeardPart(deps.db, run)
  return part === null ? [] : [part]
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
