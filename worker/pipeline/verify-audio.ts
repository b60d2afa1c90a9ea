import type { MediaFacts } from '#media/read-facts.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'
import { readSourceFacts } from '#worker/domain/media/read-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { confirmAudio, listPlannedChunks, type PlannedChunk } from '#worker/domain/run/client-audio-store.ts'
import { type CurrentRun, findCurrentRun } from '#worker/domain/run/current-run.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import { findAudioFault } from '#worker/domain/run/find-audio-fault.ts'
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
 * Compares a browser's audio with the video that has arrived. What is the video's own lets the run end, and the server
 * cuts what the browser did not get to; otherwise a new run cuts all of it, and nothing of the browser's counts.
 */
export async function verifyAudio(task: Task, deps: TaskDeps, current: CurrentRun): Promise<void> {
  const { module, run } = current
  const facts = await readSourceFacts(openSource(deps, module))
  await countMinutes(deps, module, facts.durationMs)
  const chunks = await listPlannedChunks(deps.db, task)
  const fault = module.transcriptSource === 'captions' ? null : await compare(deps, { current, facts, chunks })
  const isCurrent = await reportRun(deps.db, { ...task, nowMs: deps.nowMs() }, { durationMs: facts.durationMs })
  if (!isCurrent) return
  if (fault !== null) {
    logLine('warn', 'audio_refused', { moduleId: module.id, cause: fault })
    await startRun(deps, module, { trigger: 'recut' })
    return
  }
  await confirmAudio(deps.db, task, { ...placeOf(run, { chunks, facts }), nowMs: deps.nowMs() })
  await goOn(task, deps)
}

function compare(
  deps: TaskDeps,
  { current: { module, run }, facts, chunks }: { current: CurrentRun; facts: MediaFacts; chunks: PlannedChunk[] },
): Promise<string | null> {
  return findAudioFault({
    bucket: deps.bucket,
    openSource: () => openSource(deps, module),
    facts,
    durationMs: module.durationMs,
    chunks,
    chunkCount: run.chunkCount,
  })
}

/** Where the server goes on cutting: behind the browser's last chunk, unless that was the last of all. */
function placeOf({ chunkCount }: RunRow, { chunks, facts }: { chunks: PlannedChunk[]; facts: MediaFacts }) {
  const endMs = chunks.at(-1)?.endMs ?? null
  const isWhole = chunkCount !== null || (endMs !== null && endMs >= facts.durationMs)
  return isWhole ? { cursorMs: null, chunkCount: chunkCount ?? chunks.length } : { cursorMs: endMs, chunkCount: null }
}

async function goOn(task: Task, deps: TaskDeps): Promise<void> {
  const confirmed = await findCurrentRun(deps, task)
  if (confirmed === null || awaitsVideo(confirmed.run)) return
  await updateReport(deps.db, confirmed, deps.nowMs())
  if (confirmed.run.chunkCount === null) await ring(deps, 'ingest')
  await advanceRun(deps, task)
  await publishModule(deps, task.moduleId)
}
