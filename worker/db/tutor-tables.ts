import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AnswerEnd, AnswerMeta } from '#contract/tutor.ts'
import { epochMs } from './epoch-ms.ts'

/** What waits for the trainer. SQLite uses a partial index only for a query that says the same. */
const IS_OPEN = sql`settled_at IS NULL`

/** Questions to the tutor with their answers. A conversation is all of one person's about one module. */
export const questions = sqliteTable(
  'questions',
  {
    id: text('id').primaryKey(),
    moduleId: text('module_id').notNull(),
    userId: text('user_id').notNull(),
    /** The page's own id of question and answer. */
    turnId: text('turn_id').notNull(),
    /** The step that the person was at, or else the one that the answer leads to; null where there is neither. */
    stepId: text('step_id'),
    /** Where the video stood; null when the page did not send it. */
    videoTimeMs: integer('video_time_ms'),
    question: text('question').notNull(),
    /** The answer's text; empty while `end` is null. */
    answer: text('answer').notNull().default(''),
    /** Whether the video has an answer; null until there is one. */
    isCovered: integer('is_covered', { mode: 'boolean' }),
    /** Null until there is an answer. */
    meta: text('meta', { mode: 'json' }).$type<AnswerMeta>(),
    /** `steps`, `extractive` or the model's name; null until there is an answer. */
    answeredBy: text('answered_by'),
    /** Null while the answer is running, and after its runner died. */
    end: text('outcome').$type<AnswerEnd>(),
    createdAt: epochMs('created_at').notNull(),
    endedAt: epochMs('ended_at'),
    /** When the trainer was done with it; null while it is on the list. */
    settledAt: epochMs('settled_at'),
  },
  (t) => [
    uniqueIndex('questions_by_turn').on(t.moduleId, t.userId, t.turnId),
    index('questions_by_conversation').on(t.moduleId, t.userId, t.createdAt),
    index('questions_by_user').on(t.userId, t.createdAt),
    index('questions_by_step').on(t.moduleId, t.stepId, t.createdAt),
    index('questions_by_end').on(t.end, t.createdAt),
    // The newest are found, and all are counted, in nothing but this.
    index('questions_open').on(t.moduleId, t.createdAt, t.answeredBy, t.settledAt).where(IS_OPEN),
  ],
)

/** How often a model was asked about a module on one day. */
export const tutorDays = sqliteTable(
  'tutor_days',
  {
    moduleId: text('module_id').notNull(),
    /** `2026-11-21`, UTC. */
    day: text('day').notNull(),
    modelAnswers: integer('model_answers').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.day] }), index('tutor_days_by_day').on(t.day)],
)
