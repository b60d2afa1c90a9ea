import { publishModule } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { admitRuns } from './admit-runs.ts'
import { PROGRESS_CHECKED } from './progress.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId } from './run-fence.ts'
import { insertRun, type RunTrigger } from './run-store.ts'

/** Why a run begins, and what a person asked for with it. */
export interface RunCause {
  trigger: RunTrigger
  /** Text that is the same for equal requests of a person; nothing for other triggers. */
  request?: string
  /** A browser sends the audio while the video is on its way. */
  audioFrom?: 'browser'
  /** What is to be done between the row and its turn. */
  prepare?: (id: RunId) => Promise<void>
}

/**
 * Begins a new run of a module; it asks for its first work when it is its owner's turn, and when its video or a
 * browser's audio is there.
 * @returns null when another caller began one at the same moment, or the video came before a browser's audio
 */
export async function startRun(deps: RunDeps, module: ModuleRow, cause: RunCause): Promise<RunId | null> {
  const isEarly = module.sourceEtag === null
  const id = await insertRun(deps.db, {
    moduleId: module.id,
    previousRun: module.run,
    trigger: cause.trigger,
    request: cause.request ?? null,
    ...(cause.audioFrom === undefined ? {} : { audioFrom: cause.audioFrom }),
    message: isEarly ? 'Uploading video' : 'Waiting for its turn',
    progress: isEarly ? 0 : PROGRESS_CHECKED,
    nowMs: deps.nowMs(),
  })
  if (id === null) return null
  await cause.prepare?.(id)
  await admitRuns(deps, module.userId)
  // Sets the watchdog, too.
  await publishModule(deps, module.id)
  return id
}
