import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { epochMs } from './schema.ts'

/**
 * What a task does: cut a slice of the source's audio, transcribe one audio chunk, write the steps of one section,
 * translate a module into one language, or send a notice by mail or webhook. Each has a queue of its own.
 */
export type TaskKind = 'ingest' | 'transcribe' | 'write_steps' | 'translate' | 'notify'

/** What a task works on: a run of a module (`<module>/<run>`), a module, or a notice of an organization. */
export type SubjectKind = 'run' | 'module' | 'notice'

/** The most that a task carries by itself, in bytes of JSON; what is larger belongs into a table of its subject. */
export const PAYLOAD_MAX_BYTES = 2_048

/** Work that is to be done, once, by any consumer of its kind. */
export const tasks = sqliteTable(
  'task_queue',
  {
    subjectKind: text('subject_kind').$type<SubjectKind>().notNull(),
    subjectId: text('subject_id').notNull(),
    kind: text('kind').$type<TaskKind>().notNull(),
    /** Number among the tasks of its kind and subject; the lower ones are done first. */
    index: integer('idx').notNull(),
    /** JSON that only its kind understands. */
    payload: text('payload'),
    state: text('state').$type<'ready' | 'done'>().notNull().default('ready'),
    /** Until when no other consumer claims it; 0 while it is free. */
    leaseUntil: epochMs('lease_until').notNull().default(0),
    /** Random, one per claim, and fences a late settle. Null before the first claim and after a retry was planned. */
    leaseId: text('lease_id'),
    /** Failures so far; a lease that ran out is one, a model that was busy is none. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: epochMs('next_attempt_at').notNull(),
    /** Since when the model has been busy without a pause; null otherwise. */
    busySince: epochMs('busy_since'),
    /** Bytes that it holds in memory. */
    sizeBytes: integer('size_bytes').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.subjectKind, t.subjectId, t.kind, t.index] }),
    // A claim reads no task that is done, however many a long video has.
    index('task_queue_ready').on(t.kind, t.subjectId, t.index).where(sql`state = 'ready'`),
    // A call that is answered wakes those that have waited longest.
    index('task_queue_busy').on(t.kind, t.busySince).where(sql`state = 'ready' AND busy_since IS NOT NULL`),
    check('task_queue_payload', sql.raw(`payload IS NULL OR length(CAST(payload AS BLOB)) <= ${PAYLOAD_MAX_BYTES}`)),
  ],
)

/**
 * The table that versions before `task_queue` write. A sweep moves what they still add during a deploy or after a
 * rollback (docs/decisions/task-engine.md).
 */
export const formerTasks = sqliteTable(
  'tasks',
  {
    moduleId: text('module_id').notNull(),
    run: integer('run').notNull(),
    kind: text('kind').notNull(),
    index: integer('idx').notNull(),
    state: text('state').notNull().default('ready'),
    leaseUntil: epochMs('lease_until').notNull().default(0),
    leaseId: text('lease_id'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: epochMs('next_attempt_at').notNull(),
    busySince: epochMs('busy_since'),
    sizeBytes: integer('size_bytes').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.run, t.kind, t.index] }),
    index('tasks_ready').on(t.moduleId, t.run, t.kind, t.index).where(sql`state = 'ready'`),
    index('tasks_busy').on(t.kind, t.busySince).where(sql`state = 'ready' AND busy_since IS NOT NULL`),
    index('tasks_translate').on(t.moduleId).where(sql`kind = 'translate' AND state = 'ready'`),
  ],
)
