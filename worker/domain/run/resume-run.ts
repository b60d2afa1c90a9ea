import { announceModule } from '#worker/domain/live/announce.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { admitRuns } from './admit-runs.ts'
import type { RunDeps } from './run-deps.ts'
import { awaitsVideo, findRun } from './run-store.ts'

/**
 * Goes on with a run that its module's video was awaited for: one that the server is to cut has its turn now, and a
 * browser's sound is compared with the video. Asking for it again does no harm.
 */
export async function resumeRun(deps: RunDeps, moduleId: string): Promise<void> {
  const module = await findModule(deps.db, moduleId)
  if (module === null || module.status !== 'PROCESSING') return
  await admitRuns(deps, module.userId)
  const run = await findRun(deps.db, { moduleId, run: module.run })
  if (run === null || run.endedAt !== null || run.admittedAt === null || !awaitsVideo(run)) return
  await deps.queues.ingest.send({ kind: 'ingest', moduleId, run: module.run })
  await announceModule(deps, moduleId)
}
