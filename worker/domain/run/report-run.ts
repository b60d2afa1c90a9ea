import { and, eq, sql } from 'drizzle-orm'
import type { ModuleWork } from '#contract/module.ts'
import { estimateChunkCount } from '#media/audio-chunk.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, runs } from '#worker/db/schema.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { isRunCurrent } from './current-run.ts'
import { countSections } from './form-section.ts'
import { type CurrentRun, findRun } from './run-store.ts'

/** Shares of the work in percent (reading-the-spec, "Progress"); with the last 10 for the commit they add up to 100. */
const PROGRESS_SHARES = { checked: 10, speech: 50, steps: 30 } as const

/** Percent once the upload has been checked. */
export const PROGRESS_CHECKED = PROGRESS_SHARES.checked
/** Percent once all steps are written; the rest is the commit. */
export const PROGRESS_WRITTEN = PROGRESS_SHARES.checked + PROGRESS_SHARES.speech + PROGRESS_SHARES.steps

/** True when the last transcribed chunk changes the progress: in a long recording most change no whole percent. */
export function isFurther({
  transcribedCount,
  chunkCount,
}: {
  transcribedCount: number
  chunkCount: number | null
}): boolean {
  if (chunkCount === null) return true
  const percent = (transcribed: number) => Math.floor((PROGRESS_SHARES.speech * transcribed) / chunkCount)
  return percent(transcribedCount) > percent(transcribedCount - 1)
}

/**
 * The statement that writes how far a run is, for the batch that moves it on: the run's own sums are read as they are
 * after the statements before it. Progress only grows. Counts as a heartbeat.
 */
export function updateReport(db: Db, { module, run }: CurrentRun, nowMs: number) {
  const expectedChunks = estimateChunkCount(module.durationMs ?? 0)
  const expectedSections = countSections(run.chunkCount ?? expectedChunks)
  const isCaptioned = module.transcriptSource === 'captions'
  const { checked, speech, steps } = PROGRESS_SHARES
  const sum = (expression: ReturnType<typeof sql>) =>
    sql`(SELECT ${expression} FROM ${runs} WHERE ${runs.moduleId} = ${module.id} AND ${runs.run} = ${run.run})`
  const chunkCount = sql`coalesce(${runs.chunkCount}, max(${runs.transcribedCount} + 1, ${expectedChunks}))`
  const sectionCount = sql`coalesce(${runs.sectionCount}, max(${runs.formedSections}, ${expectedSections}))`
  const transcribedShare = isCaptioned ? sql`1.0` : sql`min(1.0, 1.0 * ${runs.transcribedCount} / ${chunkCount})`
  const writtenShare = sql`min(1.0, 1.0 * ${runs.writtenSections} / ${sectionCount})`
  const awaitsVideo = sql`(${runs.audioFrom} = 'browser' AND NOT ${runs.isVerified})`
  const percent = sql`CAST(CASE WHEN ${awaitsVideo} THEN 0 ELSE ${checked} END + ${speech} * ${transcribedShare} + ${steps} * ${writtenShare} + 0.0001 AS INTEGER)`
  const isListening = isCaptioned
    ? sql`0`
    : sql`(${runs.chunkCount} IS NULL OR ${runs.transcribedCount} < ${runs.chunkCount})`
  const message = sql`CASE WHEN ${isListening}
    THEN 'Listening to the narration (' || ${runs.transcribedCount} || ' of ' || ${chunkCount} || ' chunks)'
    WHEN ${awaitsVideo} AND ${runs.writtenSections} >= ${runs.sectionCount} THEN 'Waiting for the rest of the video'
    ELSE 'Writing the steps' END`
  return db
    .update(modules)
    .set({
      progress: sql`max(${modules.progress}, ${sum(percent)})`,
      message: sql`${sum(message)}`,
      updatedAt: nowMs,
      redrives: 0,
    })
    .where(and(eq(modules.id, module.id), isRunCurrent(run)))
    .returning()
}

/** Reads how long a module has been worked on. @returns null for one that is not, or whose video has not arrived */
export async function readWork(db: Db, module: ModuleRow, nowMs: number): Promise<ModuleWork | null> {
  if (module.status !== 'PROCESSING' || module.sourceEtag === null) return null
  const run = await findRun(db, { moduleId: module.id, run: module.run })
  if (run === null) return null
  // A browser's audio is transcribed while the video is on its way, which says nothing about the work.
  const beganAt = Math.max(run.startedAt, module.uploadedAt ?? 0)
  const isAll = run.trigger === 'upload' || (run.trigger === 'reprocess' && run.request === 'start')
  const isFromStart = isAll && run.audioFrom === 'ingest' && module.transcriptSource !== 'captions'
  return { seconds: Math.max(0, nowMs - beganAt) / 1000, fromProgress: isFromStart ? PROGRESS_CHECKED : null }
}
