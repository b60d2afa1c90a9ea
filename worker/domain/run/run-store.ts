import { and, eq, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { FailureCode } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { modules, runs, steps } from '#worker/db/schema.ts'
import { currentTrace } from '#worker/log/trace.ts'
import { isRunCurrent, type RunId } from './run-fence.ts'
import { addIngestTask, holdsLease, settleTask, type Task } from './task-store.ts'

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
export function selectRun(db: Db, id: RunId) {
  return db.select().from(runs).where(isRun(id))
}

/** @returns null when there is no such run */
export async function findRun(db: Db, id: RunId): Promise<RunRow | null> {
  const [run] = await selectRun(db, id)
  return run ?? null
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
  message: string
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
  const isLive = sql<boolean>`NOT EXISTS (SELECT 1 FROM ${steps} WHERE ${steps.moduleId} = ${moduleId})`
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
        status: 'PROCESSING',
        // No person asked for it: to watchers it is the same run.
        progress: trigger === 'recut' ? sql`max(${modules.progress}, ${start.progress})` : start.progress,
        message: start.message,
        failureCode: null,
        lastError: null,
        redrives: 0,
        updatedAt: start.nowMs,
      })
      .where(isBegun)
      .returning({ id: modules.id }),
    db
      .insert(runs)
      .values({ ...id, trigger, request, audioFrom, isLive, startedAt: start.nowMs, requestId })
      .onConflictDoNothing(),
    db
      .update(runs)
      .set({ endedAt: start.nowMs, outcome: 'superseded' })
      .where(and(isRun({ moduleId, run: start.previousRun }), isNull(runs.endedAt), isReached)),
    // A row that no module has come to would later be taken for the one that another call begins.
    db.delete(runs).where(and(isRun(id), not(isReached))),
    addIngestTask(db, id, { index: 0, nowMs: start.nowMs }),
  ])
  return begun.length === 1 ? id : null
}

/**
 * Remembers how far the source has been cut, settles the slice's task and adds that of the next slice, in one
 * transaction; `chunkCount` once the end was reached.
 * @param fromMs the cursor that the slice began at
 * @returns false when the lease was lost, or a newer run has begun: nothing has changed then
 */
export async function moveCursor(
  db: Db,
  task: Task,
  {
    fromMs,
    nowMs,
    ...to
  }: { fromMs: number | null; cursorMs: number | null; chunkCount: number | null; nowMs: number },
): Promise<boolean> {
  const isThere = fromMs === null ? isNull(runs.cursorMs) : eq(runs.cursorMs, fromMs)
  const next = addIngestTask(db, task, { index: task.index + 1, nowMs })
  const [moved] = await db.batch([
    db
      .update(runs)
      .set(to)
      .where(and(isRun(task), isThere, isNull(runs.chunkCount), holdsLease(task), isRunCurrent(task)))
      .returning({ run: runs.run }),
    ...(to.chunkCount === null ? [next] : []),
    settleTask(db, task),
  ])
  return moved.length === 1
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
  return db
    .update(runs)
    .set({ endedAt: nowMs, outcome: 'failed', failureCode })
    .where(
      and(
        isRun(id),
        isNull(runs.endedAt),
        isRunCurrent(id),
        isOurs,
        or(ne(runs.audioFrom, 'browser'), runs.isVerified),
      ),
    )
}

/** Removes all runs of a module. */
export async function removeRuns(db: Db, moduleId: string): Promise<void> {
  await db.delete(runs).where(eq(runs.moduleId, moduleId))
}
