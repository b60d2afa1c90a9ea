import { publishModule } from '#worker/domain/live/publish.ts'
import { admitNext } from './admit-runs.ts'
import { removeRunObjects } from './remove-run-objects.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId } from './run-fence.ts'
import { findRun } from './run-store.ts'

/**
 * What comes after a run's end has been committed: watchers are notified, its owner's next video has its turn, and the audio
 * of one that ended well goes. Doing it again does no harm; nothing happens before the end.
 */
export async function settleRun(deps: RunDeps, id: RunId): Promise<void> {
  const outcome = (await findRun(deps.db, id))?.outcome
  if (outcome !== 'ready' && outcome !== 'failed') return
  await publishModule(deps, id.moduleId)
  await admitNext(deps, id.moduleId)
  // What a failed run has cut is of use to the next one.
  if (outcome === 'ready') await removeRunObjects(deps.bucket, id.moduleId, id.run)
}
