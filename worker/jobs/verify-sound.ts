import type { MediaFacts } from '#media/read-facts.ts'
import { announceModule } from '#worker/domain/live/announce.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'
import { readSourceFacts } from '#worker/domain/media/read-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { reportRun } from '#worker/domain/module/run-status-store.ts'
import { advanceRun } from '#worker/domain/run/advance-run.ts'
import { confirmSound, listPlannedParts, type PlannedPart } from '#worker/domain/run/client-sound-store.ts'
import { type CurrentRun, findCurrentRun } from '#worker/domain/run/current-run.ts'
import { findSoundFault } from '#worker/domain/run/find-sound-fault.ts'
import { finishRun } from '#worker/domain/run/finish-run.ts'
import { updateReport } from '#worker/domain/run/report-run.ts'
import type { RunRow } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { AppError } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { countMinutes } from './count-minutes.ts'
import type { JobDeps, JobOf } from './job.ts'

/** Opens the video that a module is pinned to. @throws {AppError} module_failed before it has arrived */
export function openSource(deps: JobDeps, module: ModuleRow): R2Window {
  if (module.sourceEtag === null || module.sourceSizeBytes === null) {
    throw new AppError('module_failed', 'The video never arrived. Please upload it again.', {
      failure: 'source_missing',
    })
  }
  const { sourceKey: key, sourceEtag: etag, sourceSizeBytes: sizeBytes } = module
  return new R2Window({ bucket: deps.bucket, key, etag, sizeBytes })
}

/**
 * Compares a browser's sound with the video that has arrived. What is the video's own lets the run end, and the server
 * cuts what the browser did not get to; otherwise a new run cuts all of it, and nothing of the browser's counts.
 */
export async function verifySound(job: JobOf<'ingest'>, deps: JobDeps, current: CurrentRun): Promise<void> {
  const { module, run } = current
  if (module.sourceEtag === null) return void (await advanceRun(deps, job))
  const facts = await readSourceFacts(openSource(deps, module))
  await countMinutes(deps, module, facts.durationMs)
  const parts = await listPlannedParts(deps.db, job)
  const fault = module.transcriptSource === 'captions' ? null : await compare(deps, { current, facts, parts })
  const isCurrent = await reportRun(deps.db, { ...job, nowMs: deps.nowMs() }, { durationMs: facts.durationMs })
  if (!isCurrent) return
  if (fault !== null) {
    logLine('warn', 'sound_refused', { moduleId: module.id, cause: fault })
    await startRun(deps, module, { trigger: 'recut' })
    return
  }
  await confirmSound(deps.db, job, placeOf(run, { parts, facts }))
  await goOn(job, deps)
}

function compare(
  deps: JobDeps,
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

async function goOn(job: JobOf<'ingest'>, deps: JobDeps): Promise<void> {
  const confirmed = await findCurrentRun(deps, job)
  if (confirmed === null) return
  await updateReport(deps.db, confirmed, deps.nowMs())
  const isCaptioned = confirmed.module.transcriptSource === 'captions'
  if (confirmed.run.partCount === null && !isCaptioned) await deps.queues.ingest.send(job)
  await advanceRun(deps, job)
  await finishRun(deps, job)
  await announceModule(deps, job.moduleId)
}
