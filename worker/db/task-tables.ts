import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { epochMs } from './epoch-ms.ts'

/** What a task does: cut a slice of the source's audio, transcribe one audio chunk, or write the steps of one section. */
export type TaskKind = 'ingest' | 'transcribe' | 'write_steps'

/** One unit of pipeline work of a run. What it works on stands in tables of its own, by the same index. */
export const tasks = sqliteTable(
  'tasks',
  {
    moduleId: text('module_id').notNull(),
    run: integer('run').notNull(),
    kind: text('kind').$type<TaskKind>().notNull(),
    index: integer('idx').notNull(),
    state: text('state').$type<'ready' | 'done'>().notNull().default('ready'),
    /** Until when no other consumer claims it; 0 while it is free. */
    leaseUntil: epochMs('lease_until').notNull().default(0),
    /** Random, one per claim, and fences a late settle. Null before the first claim and after a retry was planned. */
    leaseId: text('lease_id'),
    /** Failures so far; a lease that ran out is one, a model that was busy is none. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: epochMs('next_attempt_at').notNull(),
    /** Since when the model has said without a pause that it is busy; null otherwise. */
    busySince: epochMs('busy_since'),
    /** Bytes of audio that it holds in memory. */
    sizeBytes: integer('size_bytes').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.run, t.kind, t.index] }),
    // A claim reads no task that is done, however many a long video has.
    index('tasks_ready').on(t.moduleId, t.run, t.kind, t.index).where(sql`state = 'ready'`),
  ],
)
