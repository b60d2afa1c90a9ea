import type { MediaFacts } from '#media/read-facts.ts'
import { announceModule } from '#worker/domain/live/announce.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'
import { readSourceFacts } from '#worker/domain/media/read-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { confirmSound, listPlannedParts, type PlannedPart } from '#worker/domain/run/client-sound-store.ts'
import { type CurrentRun, findCurrentRun } from '#worker/domain/run/current-run.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import { findSoundFault } from '#worker/domain/run/find-sound-fault.ts'
import { updateReport } from '#worker/domain/run/report-run.ts'
import { reportRun } from '#worker/domain/run/run-status-store.ts'
import { awaitsVideo, type RunRow } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { AppError } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { advanceRun } from './form-sections.ts'
import type { TaskDeps } from './tasks.ts'

/** Opens the video that a module is pinned to. @throws {AppError} module_failed before it has arrived */
export function openSource({ bucket }: Pick<TaskDeps, 'bucket'>, module: ModuleRow): R2Window {
  if (module.sourceEtag === null || module.sourceSizeBytes === null) {
    throw new AppError('module_failed', 'The video never arrived. Please upload it again.', {
      failure: 'source_missing',
    })
  }
  const { sourceKey: key, sourceEtag: etag, sourceSizeBytes: sizeBytes } = module
  return new R2Window({ bucket, key, etag, sizeBytes })
}

/**
 * Counts a video's true length, which may be another one than its browser declared; nothing where its words are
 * captions, for nothing is transcribed then.
 * @throws {AppError} module_failed when it is too much for today
 */
export async function countMinutes(deps: TaskDeps, module: ModuleRow, durationMs: number): Promise<void> {
  if (module.transcriptSource === 'captions') return
  try {
    await takeMinutes(deps, module, durationMs)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'quota_reached')) throw error
    throw new AppError('module_failed', `${error.message} Your video is kept: process it again then.`, {
      failure: 'minutes_quota',
      cause: error,
    })
  }
}

/**
 * Compares a browser's sound with the video that has arrived. What is the video's own lets the run end, and the server
 * cuts what the browser did not get to; otherwise a new run cuts all of it, and nothing of the browser's counts.
 */
export async function verifyAudio(task: Task, deps: TaskDeps, current: CurrentRun): Promise<void> {
  const { module, run } = current
  const facts = await readSourceFacts(openSource(deps, module))
  await countMinutes(deps, module, facts.durationMs)
  const parts = await listPlannedParts(deps.db, task)
  const fault = module.transcriptSource === 'captions' ? null : await compare(deps, { current, facts, parts })
  const isCurrent = await reportRun(deps.db, { ...task, nowMs: deps.nowMs() }, { durationMs: facts.durationMs })
  if (!isCurrent) return
  if (fault !== null) {
    logLine('warn', 'sound_refused', { moduleId: module.id, cause: fault })
    await startRun(deps, module, { trigger: 'recut' })
    return
  }
  await confirmSound(deps.db, task, { ...placeOf(run, { parts, facts }), nowMs: deps.nowMs() })
  await goOn(task, deps)
}

function compare(
  deps: TaskDeps,
  { current: { module, run }, facts, parts }: { current: CurrentRun; facts: MediaFacts; parts: PlannedPart[] },
): Promise<string | null> {
  return findSoundFault({
    bucket: deps.bucket,
    openSource: () => openSource(deps, module),
    facts,
    durationMs: module.durationMs,
    parts,
    partCount: run.partCount,
  })
}

/** Where the server goes on cutting: behind the browser's last part, unless that was the last of all. */
function placeOf({ partCount }: RunRow, { parts, facts }: { parts: PlannedPart[]; facts: MediaFacts }) {
  const endMs = parts.at(-1)?.endMs ?? null
  const isWhole = partCount !== null || (endMs !== null && endMs >= facts.durationMs)
  return isWhole ? { cursorMs: null, partCount: partCount ?? parts.length } : { cursorMs: endMs, partCount: null }
}

async function goOn(task: Task, deps: TaskDeps): Promise<void> {
  const confirmed = await findCurrentRun(deps, task)
  if (confirmed === null || awaitsVideo(confirmed.run)) return
  await updateReport(deps.db, confirmed, deps.nowMs())
  if (confirmed.run.partCount === null) await ring(deps, 'ingest')
  await advanceRun(deps, task)
  await announceModule(deps, task.moduleId)
}
