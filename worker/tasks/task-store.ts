import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { type Db, listRows, runSql } from '#worker/db/db.ts'
import { modules, type TaskKind, tasks } from '#worker/db/schema.ts'
import { logLine } from '#worker/log/log.ts'

/** A run of a module, by the two numbers that name it. */
export interface RunId {
  moduleId: string
  run: number
}

/**
 * Makes the fence in SQL: true while a run is its module's current, unfinished one. Every write of a run carries it, so
 * that an older run's late answer changes nothing.
 * @param moduleId the parameter of the statement that names the module, such as `?1`
 * @param run the one that names the run
 */
export function makeFence(moduleId: string, run: string): string {
  return `EXISTS (SELECT 1 FROM modules WHERE id = ${moduleId} AND run = ${run} AND run_status = 'PROCESSING')`
}

/** The fence of statements whose `?1` is the module and whose `?2` is the run. */
export const IS_CURRENT_RUN = makeFence('?1', '?2')

/** Makes the same fence for the query builder. */
export function isRunCurrent({ moduleId, run }: RunId) {
  return sql`EXISTS (SELECT 1 FROM ${modules} WHERE ${modules.id} = ${moduleId} AND ${modules.run} = ${run}
    AND ${modules.runStatus} = 'PROCESSING')`
}

/** Wakes a consumer up, after its tasks are committed. The watchdog rings again where it was lost, so nothing fails. */
export async function ring(
  { queues }: Pick<Context, 'queues'>,
  kind: TaskKind,
  { delaySeconds = 0 }: { delaySeconds?: number } = {},
): Promise<void> {
  try {
    await queues[kind].send({ kind }, { delaySeconds })
  } catch (error) {
    logLine('warn', 'doorbell_lost', { stage: kind, ...faultOf(error) })
  }
}

/** Wakes all consumers up: a run may have tasks of any kind when its turn comes, or when it is restored. */
export async function ringAll(context: Pick<Context, 'queues'>): Promise<void> {
  await Promise.all([ring(context, 'ingest'), ring(context, 'transcribe'), ring(context, 'write_steps')])
}

/** A task that a consumer has claimed: no other consumer does it until its lease runs out. */
export interface Task extends RunId {
  kind: TaskKind
  /** Number of the slice, the audio chunk or the section; of a translation the place of its language. */
  index: number
  leaseId: string
  /** Failures so far. */
  attempts: number
  /** Since when the model has said without a pause that it is busy; null otherwise. Epoch milliseconds. */
  busySince: number | null
  sizeBytes: number
  /** When its run had its turn, or since when the model of a translation is busy, epoch milliseconds. */
  admittedAt: number
  /** Whether any task of its kind waited for a busy model when it was claimed. */
  isAnyBusy: boolean
  /** Of the request that led to its run, for the log. */
  requestId: string | null
}

/** Which rows become tasks: those from `from` to `to`, or all. */
interface TaskRange {
  nowMs: number
  from?: number
  to?: number
}

const ADD = 'INSERT INTO tasks (module_id, run, kind, idx, next_attempt_at, size_bytes)'

/**
 * Makes the statement that adds a task for each audio chunk of a run that is not transcribed yet, for the batch that
 * writes the chunks. Tasks that are there stay as they are.
 */
export function addChunkTasks(d1: D1Database, id: RunId, { nowMs, from = 0, to }: TaskRange): D1PreparedStatement {
  return d1
    .prepare(
      `${ADD} SELECT module_id, run, 'transcribe', chunk, ?3, size_bytes FROM audio_chunks
       WHERE module_id = ?1 AND run = ?2 AND chunk BETWEEN ?4 AND ?5 AND status = 'planned' ON CONFLICT DO NOTHING`,
    )
    .bind(id.moduleId, id.run, nowMs, from, to ?? Number.MAX_SAFE_INTEGER)
}

/** Makes the same statement for sections whose steps are not written yet; one without segments needs no writer. */
export function addSectionTasks(d1: D1Database, id: RunId, { nowMs, from = 0, to }: TaskRange): D1PreparedStatement {
  return d1
    .prepare(
      `${ADD} SELECT module_id, run, 'write_steps', section, ?3, 0 FROM sections
       WHERE module_id = ?1 AND run = ?2 AND section BETWEEN ?4 AND ?5 AND status = 'planned'
         AND to_position > from_position ON CONFLICT DO NOTHING`,
    )
    .bind(id.moduleId, id.run, nowMs, from, to ?? Number.MAX_SAFE_INTEGER)
}

/**
 * Makes the statement that adds a task that reads the video: it cuts the next slice of its audio, or compares a
 * browser's audio with it. Nothing is added before the video has arrived.
 * @param run of the task; left out, it is the module's current run, if there is one
 */
export function addIngestTask(
  db: Db,
  { moduleId, run }: { moduleId: string; run?: number },
  { index, nowMs }: { index: number; nowMs: number },
) {
  const ofRun = run === undefined ? sql`run > 0` : sql`run = ${run}`
  return db
    .insert(tasks)
    .select(
      sql`SELECT id, run, 'ingest', ${index}, 'ready', 0, NULL, 0, ${nowMs}, NULL, 0 FROM modules
          WHERE id = ${moduleId} AND source_etag IS NOT NULL AND ${ofRun}`,
    )
    .onConflictDoNothing()
}

/** The run of tasks that belong to none. */
export const NO_RUN = 0

/**
 * Makes SQL that adds the tasks of translating modules into their languages. One that is there is due then as well, so
 * that its consumer finds that more has changed.
 * @param places parameter with the JSON list whose places name the languages
 * @param dueMs parameter with the time at which they are due
 * @param which conditions of the modules `m`: `whose`, with `?1`, which is the module's id by itself, and `isOpen`
 */
export const addTranslateTasks = (
  places: string,
  dueMs: string,
  { whose = 'm.id = ?1', isOpen }: { whose?: string; isOpen: string },
) => `
  ${ADD} SELECT m.id, ${NO_RUN}, 'translate', place.key, ${dueMs}, 0
  FROM modules AS m, json_each(${places}) AS place JOIN json_each(m.languages) AS chosen ON chosen.value = place.value
  WHERE ${whose} AND ${isOpen}
  ON CONFLICT (module_id, run, kind, idx) DO UPDATE SET next_attempt_at = excluded.next_attempt_at, attempts = 0`

/**
 * Settles a translation: the task goes, unless more has changed since it was claimed, and it is free again. Nothing
 * happens once its lease was lost.
 */
export async function settleTranslation(d1: D1Database, task: Task, claimedMs: number): Promise<void> {
  const { moduleId, run, kind, index, leaseId } = task
  const isOurs = `module_id = ?1 AND run = ?2 AND kind = ?3 AND idx = ?4 AND lease_id = ?5`
  const bind = (sql: string, ...more: unknown[]) => d1.prepare(sql).bind(moduleId, run, kind, index, leaseId, ...more)
  await d1.batch([
    bind(`DELETE FROM tasks WHERE ${isOurs} AND next_attempt_at <= ?6`, claimedMs),
    bind(`UPDATE tasks SET lease_id = NULL, lease_until = 0 WHERE ${isOurs}`),
  ])
}

/** Lists which languages of a module have a task, by their place. */
export async function listTranslateTasks(d1: D1Database, moduleId: string): Promise<number[]> {
  const query = `SELECT idx FROM tasks INDEXED BY tasks_translate
    WHERE module_id = ? AND kind = 'translate' AND state = 'ready'`
  const rows = await listRows<{ idx: number }>(d1, query, moduleId)
  return rows.map(({ idx }) => idx)
}

function isTask({ moduleId, run, kind, index }: Pick<Task, 'moduleId' | 'run' | 'kind' | 'index'>) {
  return and(eq(tasks.moduleId, moduleId), eq(tasks.run, run), eq(tasks.kind, kind), eq(tasks.index, index))
}

/** Checks in SQL whether a task is still this consumer's: every statement that commits its result carries it. */
export function holdsLease(task: Task) {
  return sql`EXISTS (SELECT 1 FROM ${tasks}
    WHERE ${and(isTask(task), eq(tasks.state, 'ready'), eq(tasks.leaseId, task.leaseId))})`
}

/**
 * Makes the statement that settles a task as done; it stands behind those of its result, in their batch. A module that
 * was deleted meanwhile keeps it: once restored, the run goes on.
 * @param isStored what the result depends on beside the lease and the run
 */
export function settleTask(db: Db, task: Task, isStored?: SQL) {
  return db
    .update(tasks)
    .set({ state: 'done', leaseUntil: 0 })
    .where(and(isTask(task), eq(tasks.state, 'ready'), eq(tasks.leaseId, task.leaseId), isRunCurrent(task), isStored))
}

/**
 * Makes the statements that take what is to be done with a run's audio off it, where captions take its place: nothing
 * is transcribed any more, and sections are planned again.
 * @param isOpen condition in SQL on the module `?1`, the run `?2` and the captions' key `?3`
 */
export function dropAudioTasks(
  d1: D1Database,
  { moduleId, run }: RunId,
  { isOpen, captionsKey }: { isOpen: string; captionsKey: string },
): D1PreparedStatement[] {
  const bind = (sql: string) => d1.prepare(`${sql} AND ${isOpen}`).bind(moduleId, run, captionsKey)
  return [
    bind(
      `UPDATE tasks SET state = 'done' WHERE module_id = ?1 AND run = ?2 AND kind = 'transcribe' AND state = 'ready'`,
    ),
    bind(`DELETE FROM tasks WHERE module_id = ?1 AND run = ?2 AND kind = 'write_steps'`),
  ]
}

/** How long a claim keeps other consumers away. A worker that is alive extends its lease three times as often. */
export const LEASE_MS = 10_000
/** Audio chunks of one run that may be in progress at once; as many rows at least a claim reads of each run. */
const LEASED_MAX = 60

/** How much a claim takes. */
export interface ClaimLimits {
  limit: number
  /** Bytes of audio that there is room for. */
  bytes: number
  /** Whether one task is taken although it is larger than that: nothing else is in progress. */
  isIdle: boolean
}

/** `r` is a run in progress whose turn it is, `m` its module: an older run, or one that was deleted, has no tasks. */
const OPEN_RUNS = `runs AS r CROSS JOIN modules AS m
  ON m.id = r.module_id AND m.run = r.run AND m.run_status = 'PROCESSING'
  AND r.admitted_at IS NOT NULL AND r.ended_at IS NULL`
/** The same for translations, which belong to no run: modules that have any, unless they were deleted. */
const OPEN_TRANSLATIONS = `(SELECT DISTINCT module_id, 0 AS run FROM tasks INDEXED BY tasks_translate
    WHERE kind = 'translate' AND state = 'ready') AS r
  CROSS JOIN modules AS m ON m.id = r.module_id`
const openFor = (kind: TaskKind) => (kind === 'translate' ? OPEN_TRANSLATIONS : OPEN_RUNS)

/** Tasks of the kind `?1` that wait for a busy model; those of an older run or of a deleted module wait for nothing. */
const BUSY_TASKS = `FROM tasks AS b INDEXED BY tasks_busy
  JOIN modules AS o ON o.id = b.module_id AND o.run = b.run AND o.run_status = 'PROCESSING'
  WHERE b.kind = ?1 AND b.state = 'ready' AND b.busy_since IS NOT NULL`

/** Makes the statement after which the tasks of a run that has ended wait for no model any more. */
export function forgetBusy(db: Db, { moduleId, run }: RunId) {
  const hasEnded = sql`EXISTS (SELECT 1 FROM runs WHERE module_id = ${moduleId} AND run = ${run} AND ended_at IS NOT NULL)`
  return db
    .update(tasks)
    .set({ busySince: null })
    .where(and(eq(tasks.moduleId, moduleId), eq(tasks.run, run), isNotNull(tasks.busySince), hasEnded))
}

/**
 * Claims tasks of one kind that are due and free, of all owners in turn: first those of the owners with the fewest in
 * progress, so that neither a long video nor many of them hold up another owner's. One statement, so two consumers never
 * get the same task. A lease that ran out counts as a failure.
 */
export async function claimTasks(
  d1: D1Database,
  kind: TaskKind,
  { limit, bytes, isIdle, nowMs }: ClaimLimits & { nowMs: number },
): Promise<Task[]> {
  const query = `UPDATE tasks SET lease_id = ?3, lease_until = ?4, attempts = attempts + (lease_until > 0)
    WHERE rowid IN (
      SELECT id FROM (
        SELECT id, row_number() OVER places AS place, sum(size_bytes) OVER places AS bytes FROM (
          SELECT t.rowid AS id, t.*, row_number() OVER (PARTITION BY m.user_id
                   ORDER BY t.lease_until > ?2 DESC, t.idx, t.module_id) AS turn
          FROM ${openFor(kind)} CROSS JOIN tasks AS t ON t.rowid IN (
            SELECT rowid FROM tasks INDEXED BY tasks_ready
            WHERE module_id = r.module_id AND run = r.run AND kind = ?1 AND state = 'ready'
              AND (lease_until > ?2 OR next_attempt_at <= ?2)
            ORDER BY idx LIMIT ?5 + ${LEASED_MAX}))
        WHERE lease_until <= ?2
        WINDOW places AS (ORDER BY turn, idx, next_attempt_at, module_id ROWS UNBOUNDED PRECEDING))
      WHERE place <= ?5 AND (bytes <= ?6 OR (place = 1 AND ?7)))
    RETURNING module_id AS moduleId, run, kind, idx AS "index", lease_id AS leaseId, attempts,
      busy_since AS busySince, size_bytes AS sizeBytes,
      EXISTS (SELECT 1 ${BUSY_TASKS}) AS isAnyBusy,
      coalesce((SELECT admitted_at FROM runs AS its WHERE its.module_id = tasks.module_id AND its.run = tasks.run),
        busy_since, ?2) AS admittedAt,
      (SELECT request_id FROM runs AS its WHERE its.module_id = tasks.module_id AND its.run = tasks.run) AS requestId`
  type Row = Omit<Task, 'isAnyBusy'> & { isAnyBusy: number }
  const lease = [crypto.randomUUID(), nowMs + LEASE_MS]
  const rows = await listRows<Row>(d1, query, kind, nowMs, ...lease, limit, bytes, isIdle ? 1 : 0)
  return rows.map((row): Task => ({ ...row, isAnyBusy: row.isAnyBusy === 1 })).toSorted((a, b) => a.index - b.index)
}

/**
 * Extends the lease of tasks that one claim took, as the sign that their worker is alive.
 * @returns the runs of those that are still this consumer's, while these are in progress
 */
export async function extendLeases(d1: D1Database, claimed: Task[], nowMs: number): Promise<RunId[]> {
  const names = claimed.map(({ moduleId, run, kind, index, leaseId }) => ({ moduleId, run, kind, index, leaseId }))
  const query = `UPDATE tasks SET lease_until = ?2 WHERE rowid IN (
      SELECT t.rowid FROM json_each(?1) AS name CROSS JOIN tasks AS t
        ON t.module_id = name.value->>'moduleId' AND t.run = name.value->>'run' AND t.kind = name.value->>'kind'
       AND t.idx = name.value->>'index' AND t.lease_id = name.value->>'leaseId'
      JOIN modules AS m ON m.id = t.module_id
       AND (t.kind = 'translate' OR (m.run = t.run AND m.run_status = 'PROCESSING'))
      WHERE t.state = 'ready' AND t.lease_until > 0)
    RETURNING module_id AS moduleId, run`
  return listRows<RunId>(d1, query, JSON.stringify(names), nowMs + LEASE_MS)
}

/** When a task that was given back is due again, and what is remembered of it. */
export interface NextAttempt {
  attempts: number
  nextAttemptAt: number
  busySince: number | null
}

/** Gives a task back until its next attempt. Nothing happens when the lease was lost meanwhile. */
export async function retryTask(
  d1: D1Database,
  { moduleId, run, kind, index, leaseId }: Task,
  { attempts, nextAttemptAt, busySince }: NextAttempt,
): Promise<void> {
  const query = `UPDATE tasks SET lease_id = NULL, lease_until = 0, attempts = ?6, next_attempt_at = ?7, busy_since = ?8
    WHERE module_id = ?1 AND run = ?2 AND kind = ?3 AND idx = ?4 AND state = 'ready' AND lease_id = ?5`
  await runSql(d1, query, moduleId, run, kind, index, leaseId, attempts, nextAttemptAt, busySince)
}

/** Finds when the next free task of a kind is due; null when there is none. */
export async function findNextDueMs(d1: D1Database, kind: TaskKind): Promise<number | null> {
  const query = `SELECT min(t.next_attempt_at) AS dueMs FROM ${openFor(kind)} CROSS JOIN tasks AS t INDEXED BY tasks_ready
      ON t.module_id = r.module_id AND t.run = r.run AND t.kind = ?1 AND t.state = 'ready'
    WHERE t.lease_until = 0`
  const [row] = await listRows<{ dueMs: number | null }>(d1, query, kind)
  return row?.dueMs ?? null
}

/** The tasks of one run that are not done, by kind. */
export interface OpenTasks {
  kind: TaskKind
  /** How many can be claimed now. */
  due: number
  /** When the next one of the others can be claimed, unless its lease is extended; null without others. */
  nextMs: number | null
}

/** Counts the open tasks of a run. */
export async function listOpenTasks(d1: D1Database, { moduleId, run }: RunId, nowMs: number): Promise<OpenTasks[]> {
  const query = `SELECT kind, sum(at <= ?3) AS due, min(CASE WHEN at > ?3 THEN at END) AS nextMs
    FROM (SELECT kind, max(lease_until, next_attempt_at) AS at FROM tasks INDEXED BY tasks_ready
          WHERE module_id = ?1 AND run = ?2 AND kind IN ('ingest', 'transcribe', 'write_steps') AND state = 'ready')
    GROUP BY kind`
  return listRows<OpenTasks>(d1, query, moduleId, run, nowMs)
}

/** Finds when the model is asked next where all that is left of a run waits for a busy one; null while anything else is due. */
export async function findBusyUntilMs(d1: D1Database, { moduleId, run }: RunId, nowMs: number): Promise<number | null> {
  const query = `SELECT iif(count(*) = count(busy_since) AND max(lease_until) <= ?3, min(next_attempt_at), NULL) AS untilMs
    FROM tasks INDEXED BY tasks_ready
    WHERE module_id = ?1 AND run = ?2 AND kind IN ('ingest', 'transcribe', 'write_steps') AND state = 'ready'`
  const [row] = await listRows<{ untilMs: number | null }>(d1, query, moduleId, run, nowMs)
  return row?.untilMs ?? null
}

/** How many tasks an answered call wakes: a model that is back has more to do with each answer, and never all at once. */
const WOKEN = 6

/** Ends the pauses of the tasks that have waited longest for a busy model, since it has answered another call. */
export async function wakeBusyTasks(d1: D1Database, kind: TaskKind, nowMs: number): Promise<void> {
  const query = `UPDATE tasks SET next_attempt_at = ?2
    WHERE rowid IN (SELECT b.rowid ${BUSY_TASKS} AND b.next_attempt_at > ?2 ORDER BY b.busy_since LIMIT ${WOKEN})`
  await runSql(d1, query, kind, nowMs)
}
