import { eraseModule } from '#worker/domain/module/erase-module.ts'
import {
  countRedrive,
  failModule,
  listAbandonedModules,
  listDeletedModules,
  listQuietModules,
  type ModuleRow,
  reportRun,
} from '#worker/domain/module/module-store.ts'
import { hasHeardSince, listParts } from '#worker/domain/run/part-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { failRun } from './fail-run.ts'
import type { JobDeps } from './job.ts'

/** A run that was silent this long has probably lost a message: the local queue lives in memory. */
const REDRIVE_AFTER_MS = 4 * 60_000
/** With the time between them: no module stays PROCESSING for 20 minutes without a sign of life. */
const MAX_REDRIVES = 4
/** Presigned but never uploaded. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000

/** A queue job may run for 15 minutes, and one that began before the module was deleted may still write. */
const ERASE_AFTER_MS = 30 * 60_000

const GIVE_UP = {
  code: 'gave_up',
  reason: 'Processing stopped and did not come back. Nothing of your video is lost: please try again.',
} as const

/** Scheduled work: asks again for what was lost, gives up on what is beyond help, removes what nobody finished. */
export async function sweep(deps: JobDeps): Promise<void> {
  const nowMs = deps.nowMs()
  const quiet = await listQuietModules(deps.db, nowMs - REDRIVE_AFTER_MS)
  for (const module of quiet) await revive(deps, module)
  const abandoned = await listAbandonedModules(deps.db, nowMs - ABANDONED_AFTER_MS)
  const deleted = await listDeletedModules(deps.db, nowMs - ERASE_AFTER_MS)
  for (const module of [...abandoned, ...deleted]) await eraseModule({ db: deps.db, bucket: deps.env.MEDIA }, module)
  console.log({ event: 'sweep', quiet: quiet.length, abandoned: abandoned.length, deleted: deleted.length })
}

/** Silence is counted in attempts, not by the clock: a machine that was off for a day has not given up on anything. */
async function revive(deps: JobDeps, module: ModuleRow): Promise<void> {
  const at = { moduleId: module.id, run: module.run, nowMs: deps.nowMs() }
  if (await isWaiting(deps, at)) await reportRun(deps.db, at, {})
  else if (module.redrives >= MAX_REDRIVES) await end(deps, module)
  else if (await countRedrive(deps.db, at)) await redrive(deps, module)
}

/** A place in the queue behind other modules is a sign of life while those are being heard. */
async function isWaiting(deps: JobDeps, at: { moduleId: string; run: number; nowMs: number }): Promise<boolean> {
  if (!(await hasHeardSince(deps.db, at.nowMs - REDRIVE_AFTER_MS))) return false
  return (await listParts(deps.db, at)).some((part) => part.status === 'planned')
}

async function end(deps: JobDeps, module: ModuleRow): Promise<void> {
  const id = { moduleId: module.id, run: module.run }
  if (module.run === 0) await failModule(deps.db, { ...id, nowMs: deps.nowMs() }, GIVE_UP)
  else await failRun(deps, id, GIVE_UP)
}

/** Sends again what the database says is still to do; what is done already is done once. */
async function redrive(deps: JobDeps, module: ModuleRow): Promise<void> {
  const id = { moduleId: module.id, run: module.run }
  const run = await findRun(deps.db, id)
  if (run === null) {
    await startRun({ db: deps.db, ingestQueue: deps.env.INGEST_QUEUE, nowMs: deps.nowMs() }, module, 'upload')
    return
  }
  if (run.partCount === null) await deps.env.INGEST_QUEUE.send({ kind: 'ingest', ...id })
  if (run.stepsAskedAt !== null) await deps.env.STEPS_QUEUE.send({ kind: 'steps', ...id })
  else await redriveParts(deps, id)
}

async function redriveParts(deps: JobDeps, id: { moduleId: string; run: number }): Promise<void> {
  const parts = await listParts(deps.db, id)
  const planned = parts.filter((part) => part.status === 'planned')
  // All heard and yet no steps asked for: the last part's message is repeated, which finishes the speech.
  for (const part of planned.length > 0 ? planned : parts.slice(-1)) {
    await deps.env.SPEECH_QUEUE.send({ kind: 'speech', ...id, part: part.part })
  }
}
