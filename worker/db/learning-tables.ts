import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { epochMs } from './epoch-ms.ts'

/** What one learner has seen of one module, over all visits. */
export const learners = sqliteTable(
  'learners',
  {
    moduleId: text('module_id').notNull(),
    /** `user:<id>` for who is signed in, `anyone:<random>` for others. */
    learnerId: text('learner_id').notNull(),
    /** JSON of TimeRanges: whole seconds that were seen, and those that were seen twice or more. */
    seen: text('seen').notNull().default('[]'),
    again: text('again').notNull().default('[]'),
    seenSeconds: integer('seen_seconds').notNull().default(0),
    positionS: integer('position_s').notNull().default(0),
    completedAt: epochMs('completed_at'),
    firstAt: epochMs('first_at').notNull(),
    lastAt: epochMs('last_at').notNull(),
    /** Grows with each report, so that of two that come at once the second is counted on top of the first. */
    version: integer('version').notNull().default(0),
    /** Session and number of the report that made this version. */
    lastReport: text('last_report').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.learnerId] }), index('learners_by_learner').on(t.learnerId)],
)

/** One opened page of a learner. */
export const learningSessions = sqliteTable(
  'learning_sessions',
  {
    moduleId: text('module_id').notNull(),
    learnerId: text('learner_id').notNull(),
    sessionId: text('session_id').notNull(),
    /** Number of the last report that was counted. */
    seq: integer('seq').notNull(),
    /** What was played, in order, as the xAPI video profile writes it: `0[.]12[,]14[.]21`, seconds. */
    played: text('played').notNull(),
    positionS: integer('position_s').notNull(),
    startedAt: epochMs('started_at').notNull(),
    lastAt: epochMs('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.learnerId, t.sessionId] })],
)

/** How many learners have seen something of a piece of the video, and how many were last seen at a second of it. */
export const learningCounts = sqliteTable(
  'learning_counts',
  {
    moduleId: text('module_id').notNull(),
    kind: text('kind').$type<'seen' | 'left'>().notNull(),
    atS: integer('at_s').notNull(),
    learners: integer('learners').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.kind, t.atS] })],
)

/** What became of a step in numbers of learners, for the times that it had when they were counted. */
export const learningSteps = sqliteTable(
  'learning_steps',
  {
    moduleId: text('module_id').notNull(),
    stepId: text('step_id').notNull(),
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    reached: integer('reached').notNull(),
    finished: integer('finished').notNull(),
    rewatched: integer('rewatched').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.stepId] })],
)

/** Sums over a module's learners. */
export const learningTotals = sqliteTable('learning_totals', {
  moduleId: text('module_id').primaryKey(),
  learners: integer('learners').notNull(),
  completed: integer('completed').notNull(),
  seenSeconds: integer('seen_seconds').notNull(),
  /** Grows with each report, so that a step that is counted anew misses none. */
  version: integer('version').notNull(),
})
