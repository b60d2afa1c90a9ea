import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { PROGRESS_CHECKED } from './progress.ts'
import { insertRun, type RunId, type RunTrigger } from './run-store.ts'

/** A message that asks for work on a run. Ids only: the job reads everything else from the database. */
export interface IngestMessage extends RunId {
  kind: 'ingest'
}

interface StartDeps {
  db: Db
  ingestQueue: Pick<Queue<IngestMessage>, 'send'>
  nowMs: number
}

/**
 * Begins a new run of a module and asks for its first unit of work.
 * @returns null when another caller began one at the same moment; that one counts
 */
export async function startRun(deps: StartDeps, module: ModuleRow, trigger: RunTrigger): Promise<RunId | null> {
  const id = await insertRun(deps.db, {
    moduleId: module.id,
    previousRun: module.run,
    trigger,
    message: 'Checking the video',
    progress: PROGRESS_CHECKED,
    nowMs: deps.nowMs,
  })
  if (id !== null) await deps.ingestQueue.send({ kind: 'ingest', ...id })
  return id
}
