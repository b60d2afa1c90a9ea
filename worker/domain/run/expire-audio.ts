import { forgetAudio, hideAudio } from './audio-expiry-store.ts'
import { removeRunObjects } from './remove-run-objects.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId } from './run-fence.ts'

/**
 * Removes the audio that a failed run has cut, once a retry is unlikely to reuse it; a later retry begins from
 * the start. Nothing happens when a new run has begun meanwhile. What breaks off is found again.
 */
export async function expireAudio(deps: Pick<RunDeps, 'd1' | 'bucket'>, id: RunId): Promise<void> {
  if (!(await hideAudio(deps.d1, id))) return
  await removeRunObjects(deps.bucket, id.moduleId, id.run)
  await forgetAudio(deps.d1, id.moduleId)
}
