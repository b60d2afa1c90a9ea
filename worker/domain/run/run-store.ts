import { and, eq, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { FailureCode, ModuleStatus, RunMessage } from '#contract/module.ts'
import { estimateChunkCount } from '#media/audio-chunk.ts'
import type { Context } from '#worker/core/context.ts'
import { audioChunks } from '#worker/db/chunk-tables.ts'
import { type Db, listRows, runSql } from '#worker/db/db.ts'
import { modules, runs, sections, steps } from '#worker/db/schema.ts'
import { type ModuleRow, selectModule } from '#worker/domain/module/module-store.ts'
import { countSections } from '#worker/domain/transcript/form-section.ts'
import { currentTrace } from '#worker/log/log.ts'
import { isRunCurrent, type RunId } from './fence.ts'
import { addIngestTask, forgetBusyRun, removeRunTasks } from './run-task-store.ts'

/** The row of a run's module, while the run is its current, unfinished one. */
function isModuleOf(id: RunId) {
  return and(eq(modules.id, id.moduleId), isRunCurrent(id))
}

/** Fields that a run may report while it is the current one. */
export interface RunReport {
  progress?: number
  message?: RunMessage
  durationMs?: number
  videoCodec?: string | null
  /** Why a silent video would fail, while it waits for its scenes. */
  failureCode?: FailureCode
  lastError?: string
}

/**
 * Writes the heartbeat of a run. Progress only grows.
 * @returns false when the run is not the current one any more, has ended, or the module is gone
 */
export async function reportRun(db: Db, target: RunId & { nowMs: number }, report: RunReport): Promise<boolean> {
  const { progress, ...fields } = report
  const grown =
    progress === undefined ? {} : { progress: sql<number>`max(${modules.progress}, ${Math.floor(progress)})` }
  const { meta } = await db
    .update(modules)
    .set({ ...fields, ...grown, updatedAt: target.nowMs, redrives: 0 })
    .where(isModuleOf(target))
  return meta.changes === 1
}

/**
 * Counts a check that found no progress of a run. The clock begins with the first one: a machine may have been off.
 * @returns false when it has ended or a newer one has begun
 */
export async function countRedrive(db: Db, target: RunId & { nowMs: number }): Promise<boolean> {
  const updatedAt = sql`CASE WHEN ${modules.redrives} = 0 THEN ${target.nowMs} ELSE ${modules.updatedAt} END`
  const { meta } = await db
    .update(modules)
    .set({ redrives: sql`${modules.redrives} + 1`, updatedAt })
    .where(isModuleOf(target))
  return meta.changes === 1
}

/**
 * The statement that ends a module's current run as FAILED, alone or in one batch with the run's own row. A browser's
 * audio that has not been compared with the video fails no module.
 */
export function updateFailed(
  db: Db,
  { isOurs, ...target }: RunId & { nowMs: number; isOurs?: SQL | undefined },
  failure: { code: FailureCode; reason: string },
) {
  const isAudioTrusted = sql`NOT EXISTS (SELECT 1 FROM ${runs} WHERE ${isRun(target)}
    AND ${runs.audioFrom} = 'browser' AND NOT ${runs.isVerified})`
  const failed = { status: unlessReady('FAILED'), runStatus: 'FAILED', message: 'Processing failed' } as const
  return db
    .update(modules)
    .set({ ...failed, failureCode: failure.code, lastError: failure.reason, updatedAt: target.nowMs })
    .where(and(isModuleOf(target), isOurs, isAudioTrusted))
}

/** A module that is READY stays so for everyone, whatever becomes of the run that makes it again. */
function unlessReady(status: ModuleStatus) {
  return sql<ModuleStatus>`iif(${modules.status} = 'READY', 'READY', ${status})`
}

/** One attempt at turning a video into steps, with the sums of what it has done. */
export type RunRow = typeof runs.$inferSelect
/** Why a run began: a video arrived, captions came, a person asked, or the audio of a browser could not be used. */
export type RunTrigger = RunRow['trigger']

/** Whether a run uses audio that a browser cut and that is not verified yet: it cannot end. */
export function awaitsVideo(run: RunRow): boolean {
  return run.audioFrom === 'browser' && !run.isVerified
}

/** The row of a run. */
export function isRun(id: RunId) {
  return and(eq(runs.moduleId, id.moduleId), eq(runs.run, id.run))
}

/** The query for a run's row, to be asked alone or in one batch with others. */
function selectRun(db: Db, id: RunId) {
  return db.select().from(runs).where(isRun(id))
}

/** @returns null when there is no such run */
export async function findRun(db: Db, id: RunId): Promise<RunRow | null> {
  return (await selectRun(db, id).get()) ?? null
}

/** What a new run begins with. */
export interface RunStart {
  moduleId: string
  previousRun: number
  trigger: RunTrigger
  /** What a person asked for, as text that is the same for equal requests; null for other triggers. */
  request: string | null
  /** `browser` only before the video has arrived. Left out: the server cuts the audio. */
  audioFrom?: 'browser'
  message: RunMessage
  progress: number
  nowMs: number
}

/**
 * Makes `previousRun + 1` the module's current run, from which moment the older one can no longer commit. Its steps
 * are shown as they are written only where there are none yet.
 * @returns null when another call began a run first, or the video came before a browser's audio
 */
export async function insertRun(db: Db, start: RunStart): Promise<RunId | null> {
  const { moduleId, trigger, request, audioFrom = 'ingest' } = start
  const id = { moduleId, run: start.previousRun + 1 }
  const requestId = currentTrace().requestId ?? null
  const isLive = sql<boolean>`NOT EXISTS (SELECT 1 FROM ${steps} WHERE ${steps.moduleId} = ${moduleId})
    AND NOT EXISTS (SELECT 1 FROM ${modules} WHERE ${modules.id} = ${moduleId} AND ${modules.status} = 'READY')`
  const isBegun = and(
    eq(modules.id, moduleId),
    eq(modules.run, start.previousRun),
    audioFrom === 'browser' ? isNull(modules.sourceEtag) : undefined,
  )
  // Not when the module has been deleted at this moment: restored, it continues the run that it had.
  const isReached = sql`EXISTS (SELECT 1 FROM ${modules} WHERE ${modules.id} = ${moduleId} AND ${modules.run} >= ${id.run})`
  const [begun] = await db.batch([
    db
      .update(modules)
      .set({
        run: id.run,
        status: unlessReady('PROCESSING'),
        runStatus: 'PROCESSING',
        // No person asked for it: to watchers it is the same run.
        progress: trigger === 'recut' ? sql`max(${modules.progress}, ${start.progress})` : start.progress,
        message: start.message,
        failureCode: null,
        lastError: null,
        redrives: 0,
        updatedAt: start.nowMs,
      })
      .where(isBegun),
    db
      .insert(runs)
      .values({ ...id, trigger, request, audioFrom, isLive, startedAt: start.nowMs, requestId })
      .onConflictDoNothing(),
    db
      .update(runs)
      .set({ endedAt: start.nowMs, outcome: 'superseded' })
      .where(and(isRun({ moduleId, run: start.previousRun }), isNull(runs.endedAt), isReached)),
    forgetBusyRun(db, { moduleId, run: start.previousRun }),
    // A row that no module has come to would later be taken for the one that another call begins.
    db.delete(runs).where(and(isRun(id), not(isReached))),
    addIngestTask(db, id, { index: 0, nowMs: start.nowMs }),
  ])
  return begun.meta.changes === 1 ? id : null
}

/**
 * Admits an owner's waiting runs, oldest first, up to `limit` at once. One that awaits its video and has had no chunk
 * transcribed for `idleMs` takes no place.
 * @returns how many were admitted
 */
export async function admitWaiting(
  d1: D1Database,
  { userId, nowMs, idleMs, limit }: { userId: string; nowMs: number; idleMs: number; limit: number },
): Promise<number> {
  const query = `UPDATE runs SET admitted_at = ?2 WHERE (module_id, run) IN (
      SELECT r.module_id, r.run FROM runs AS r JOIN modules AS m ON m.id = r.module_id AND m.run = r.run
      WHERE m.user_id = ?1 AND m.run_status = 'PROCESSING' AND r.admitted_at IS NULL
        AND (m.source_etag IS NOT NULL OR r.audio_from = 'browser')
      ORDER BY r.started_at, r.module_id
      LIMIT max(0, ?3 - (
        SELECT count(*) FROM runs AS a JOIN modules AS b ON b.id = a.module_id AND b.run = a.run
        WHERE b.user_id = ?1 AND b.run_status = 'PROCESSING' AND a.admitted_at IS NOT NULL
          AND (b.source_etag IS NOT NULL
            OR (b.updated_at > ?2 - ?4 AND (a.section_count IS NULL OR a.written_sections < a.section_count))))))`
  return runSql(d1, query, userId, nowMs, limit, idleMs)
}

/**
 * The statement that ends a run as failed while it is its module's current one and does not await its video; to stand
 * before that of its module.
 */
export function updateFailedRun(
  db: Db,
  id: RunId,
  { failureCode, nowMs, isOurs }: { failureCode: FailureCode; nowMs: number; isOurs?: SQL | undefined },
) {
  const isOpen = and(isNull(runs.endedAt), or(ne(runs.audioFrom, 'browser'), runs.isVerified))
  return db
    .update(runs)
    .set({ endedAt: nowMs, outcome: 'failed', failureCode })
    .where(and(isRun(id), isOpen, isRunCurrent(id), isOurs))
}

/** Removes all runs of a module that is erased, with what they have left to do and to go on with. */
export async function removeRuns(db: Db, moduleId: string): Promise<void> {
  const remove = (table: typeof runs | typeof audioChunks | typeof sections) =>
    db.delete(table).where(eq(table.moduleId, moduleId))
  await db.batch([removeRunTasks(db, moduleId), remove(audioChunks), remove(sections), remove(runs)])
}

/** A run that has not ended, and its module. */
export interface CurrentRun {
  module: ModuleRow
  run: RunRow
}

/** Whether all sections of a run are written. */
export function isWritten({ sectionCount, writtenSections }: RunRow): boolean {
  return sectionCount !== null && writtenSections >= sectionCount
}

/** Whether captions have come whose sections are not planned. */
export function needsCaptionPlan({ module, run }: CurrentRun): boolean {
  return module.captionsKey !== null && run.sectionCount === null
}

/** True in SQL while steps are written from the same captions, or from the audio, as when the task was claimed. */
export function isOfCaptions({ module }: CurrentRun) {
  return sql`(SELECT ${modules.captionsKey} FROM ${modules} WHERE ${modules.id} = ${module.id}) IS ${module.captionsKey}`
}

/**
 * Finds a run with its module while there is still something to do for it.
 * @returns null when the module is gone or ended, or a newer run has taken over
 */
export async function findCurrentRun(context: Pick<Context, 'db'>, id: RunId): Promise<CurrentRun | null> {
  const [[module], [run]] = await context.db.batch([selectModule(context.db, id.moduleId), selectRun(context.db, id)])
  if (module === undefined || module.run !== id.run || module.runStatus !== 'PROCESSING') return null
  return run === undefined || run.endedAt !== null ? null : { module, run }
}

/** Shares of the work in percent (reading-the-spec, "Progress"); with the last 10 for the commit they add up to 100. */
const PROGRESS_SHARES = { checked: 10, speech: 50, steps: 30 } as const

/** Percent once the upload has been checked. */
export const PROGRESS_CHECKED = PROGRESS_SHARES.checked
/** Percent once all steps are written; the rest is the commit. */
export const PROGRESS_WRITTEN = PROGRESS_SHARES.checked + PROGRESS_SHARES.speech + PROGRESS_SHARES.steps

/** True when the last transcribed chunk changes the progress: in a long recording most change no whole percent. */
export function raisesProgress({
  transcribedCount,
  chunkCount,
}: Pick<RunRow, 'transcribedCount' | 'chunkCount'>): boolean {
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
  const isCaptioned = module.captionsKey !== null
  const { checked, speech, steps } = PROGRESS_SHARES
  const sum = (expression: ReturnType<typeof sql>) =>
    sql`(SELECT ${expression} FROM ${runs} WHERE ${runs.moduleId} = ${module.id} AND ${runs.run} = ${run.run})`
  const chunkCount = sql`coalesce(${runs.chunkCount}, max(${runs.transcribedCount} + 1, ${expectedChunks}))`
  const sectionCount = sql`coalesce(${runs.sectionCount}, max(${runs.formedSections}, ${expectedSections}))`
  // A video without audio has no chunks, of which no share can be counted.
  const transcribedShare = isCaptioned
    ? sql`1.0`
    : sql`coalesce(min(1.0, 1.0 * ${runs.transcribedCount} / ${chunkCount}), 1.0)`
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
      // A section that is passed meanwhile does not hide that scenes are awaited.
      message: sql`iif(${modules.failureCode} IS NULL, ${sum(message)}, ${modules.message})`,
      updatedAt: nowMs,
      redrives: 0,
    })
    .where(and(eq(modules.id, module.id), isRunCurrent(run)))
    .returning()
}

/** How many runs of a day say how long one usually takes. */
const USUAL_RUNS = 20

/**
 * Finds how many runs of the same owner come before one that waits for its turn, and how long a run took lately.
 * @returns `usualMs` is null where none has ended well within a day
 */
export async function findTurn(
  d1: D1Database,
  { userId, run, nowMs }: { userId: string; run: RunRow; nowMs: number },
): Promise<{ before: number; usualMs: number | null }> {
  const query = `
    SELECT (SELECT count(*) FROM modules AS m JOIN runs AS r ON r.module_id = m.id AND r.run = m.run
            WHERE m.user_id = ?1 AND m.run_status = 'PROCESSING' AND m.received_at IS NOT NULL AND r.ended_at IS NULL
              AND (r.admitted_at IS NOT NULL OR (r.started_at, r.module_id) < (?2, ?3))) AS before,
           (SELECT avg(ended_at - admitted_at) FROM (
              SELECT ended_at, admitted_at FROM runs WHERE started_at > ?4 AND outcome = 'ready'
              ORDER BY started_at DESC LIMIT ${USUAL_RUNS})) AS usualMs`
  type Turn = { before: number; usualMs: number | null }
  const [turn] = await listRows<Turn>(d1, query, userId, run.startedAt, run.moduleId, nowMs - 24 * 60 * 60_000)
  return turn ?? { before: 0, usualMs: null }
}

/** A module that a busy model has left undone: FAILED without its words, or READY with drafts. */
interface EndedBusy {
  moduleId: string
  /** Whether that model has answered any call since. */
  hasAnswered: boolean
}

/** How often a module is begun again, in case it is not the model that stands in its way. */
const RESUMES_MAX = 6

/**
 * Lists modules that a busy model has left undone: those whose model has answered since, then the longest waiting ones.
 * A person's steps and decisions are not disturbed: READY modules that a person has changed since stay as they are.
 * @param answeredMs how long a module rests whose model has answered since; twice as long after each run that ended so
 * @param silentMs the same for all others
 */
export async function listEndedBusy(
  d1: D1Database,
  { nowMs, answeredMs, silentMs, limit }: { nowMs: number; answeredMs: number; silentMs: number; limit: number },
): Promise<EndedBusy[]> {
  const query = `SELECT id AS moduleId, hasAnswered FROM (
      SELECT id, updated_at,
        updated_at < (SELECT coalesce(max(ok_at), 0) FROM outcomes
          WHERE part = iif(m.run_status = 'FAILED', 'speech', 'steps')) AS hasAnswered,
        (SELECT count(*) FROM runs WHERE module_id = m.id AND run < m.run AND failure_code = 'ai_busy') AS resumes
      FROM modules AS m WHERE failure_code = 'ai_busy' AND updated_at <= ?1 - ?2
        AND (run_status = 'FAILED' OR edited_version <= made_version))
    WHERE resumes < ${RESUMES_MAX} AND updated_at <= ?1 - iif(hasAnswered, ?2, ?3) * (1 << resumes)
    ORDER BY hasAnswered DESC, updated_at LIMIT ?4`
  type Row = Omit<EndedBusy, 'hasAnswered'> & { hasAnswered: number }
  const rows = await listRows<Row>(d1, query, nowMs, answeredMs, silentMs, limit)
  return rows.map(({ moduleId, hasAnswered }) => ({ moduleId, hasAnswered: hasAnswered === 1 }))
}
