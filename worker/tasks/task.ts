import type { Context, ServedContext } from '#worker/core/context.ts'
import type { SubjectKind, TaskKind } from '#worker/db/task-tables.ts'
import type { Trace } from '#worker/log/log.ts'

/** What a task belongs to. */
export interface Subject {
  subjectKind: SubjectKind
  subjectId: string
}

/** Names one task. */
export interface TaskKey extends Subject {
  kind: TaskKind
  /** Number among the tasks of its kind and subject. */
  index: number
}

/** A task that a consumer has claimed: no other consumer does it until its lease runs out. */
export interface Task extends TaskKey {
  /** What was given to it when it was added; null without. */
  payload: unknown
  leaseId: string
  /** Failures so far. */
  attempts: number
  /** Since when the model has been busy without a pause; null otherwise. Epoch milliseconds. */
  busySince: number | null
  sizeBytes: number
  /** Since when the tasks of its subject may be done, or since when the model is busy, epoch milliseconds. */
  openSince: number
  /** Whether any task of its kind waited for a busy model when it was claimed. */
  isAnyBusy: boolean
  /** Of the request that led to its subject, for the log. */
  requestId: string | null
}

/** What the engine asks of the tables of a subject, in SQL. An `id` is an expression, such as a column. */
export interface SubjectSql {
  kind: SubjectKind
  /**
   * Query of the subjects whose tasks may be claimed: `id`, and the `owner` whose turn it is then. `?1` is the kind of
   * the tasks.
   */
  open: string
  /** Whether a subject still wants what is in progress for it. Its tasks lose their lease otherwise. */
  isOpen: (id: string) => string
  /** Since when its tasks may be done, epoch milliseconds; null where that is not known. */
  openSince: (id: string) => string
  /** The request that led to it, for the log; null where that is not known. */
  requestId: (id: string) => string
}

/** What a task can do about the invocation that it runs in. */
export interface Attempt {
  /**
   * Fires when the subject is not open any more, or the lease was lost. The tasks of one subject in an invocation share
   * it.
   */
  signal: AbortSignal
}

/** All that the engine knows of a kind of task. */
export interface TaskHandler {
  subject: SubjectSql
  /** How many tasks share an invocation. */
  perInvocation: number
  /** How many a drain has in progress at once; left out, as many as an installation allows. */
  inFlightMax?: number
  /** Whether a watchdog of its subject calls for recovery. Otherwise the sweep rings for what is due. */
  isWatched: boolean
  /** Whether a task that is done ends the pauses of those that wait for a busy model. */
  wakesBusy: boolean
  /** Does the task and settles it, in the batch of its result. Doing it twice changes nothing. */
  run: (task: Task, context: ServedContext, attempt: Attempt) => Promise<void>
  /**
   * Ends a task that is not tried again, and settles it.
   * @param error of the last attempt; null when each of its workers died
   */
  onGiveUp: (task: Task, context: Context, error: unknown) => Promise<void>
  /** Reports that a task waits for a model, and not for the first time. */
  onWait?: (task: Task, context: Context, error: unknown) => Promise<void>
  /** What each line of the log says of a task. */
  traceOf: (task: Task) => Trace
}

/** The kinds of tasks that there are. */
export type TaskHandlers = Readonly<Record<TaskKind, TaskHandler>>
