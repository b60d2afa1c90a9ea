import { announceModule } from '#worker/domain/live/announce.ts'
import { type ModuleRow, reportRun } from '#worker/domain/module/module-store.ts'
import { progressOf } from './progress.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunRow } from './run-store.ts'
import { countStretches } from './stretch-plan.ts'

/** What ingest aims at; only an estimate until the whole source has been cut. */
const PART_MS = 30_000

/** Writes how far a run is, as its sums say, and tells everyone. A sign of life. */
export async function reportWork(deps: RunDeps, module: ModuleRow, run: RunRow): Promise<void> {
  const isCaptioned = module.transcriptSource === 'captions'
  const partCount = isCaptioned ? 0 : (run.partCount ?? Math.max(run.heardCount + 1, expectedParts(module.durationMs)))
  const stretchCount = run.stretchCount ?? Math.max(run.formedStretches, countStretches(partCount))
  const { heardCount, writtenStretches } = run
  const isListening = !isCaptioned && (run.partCount === null || heardCount < run.partCount)
  await reportRun(
    deps.db,
    { moduleId: run.moduleId, run: run.run, nowMs: deps.nowMs() },
    {
      progress: progressOf({ heardCount, partCount, writtenStretches, stretchCount }),
      message: isListening ? `Listening to the narration (${heardCount} of ${partCount} parts)` : 'Writing the steps',
    },
  )
  await announceModule(deps, run.moduleId)
}

function expectedParts(durationMs: number | null): number {
  return durationMs === null ? 1 : Math.max(1, Math.round(durationMs / PART_MS))
}
