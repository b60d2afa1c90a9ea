import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { FeedbackAction, FeedbackKind } from '#contract/feedback/feedback.ts'
import type { StepReportKind } from '#contract/feedback/step-report.ts'
import type { AnswerEnd, AnswerMeta } from '#contract/tutor.ts'
import { epochMs } from './schema.ts'

/** Trainings of others that a signed-in person has opened. */
export const openedModules = sqliteTable(
  'opened_modules',
  {
    userId: text('user_id').notNull(),
    moduleId: text('module_id').notNull(),
    /** The last time. */
    openedAt: epochMs('opened_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.moduleId] }),
    index('opened_modules_by_user').on(t.userId, t.openedAt, t.moduleId),
    index('opened_modules_by_module').on(t.moduleId),
  ],
)

/** Greater than every learner's id. */
export const ALL_COUNTED = '~'

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
    /** JSON of TimeRanges: what of it the clock allows; the rest is self-reported. */
    verified: text('verified').notNull().default('[]'),
    verifiedSeconds: integer('verified_seconds').notNull().default(0),
    /** Time that is used up by verified playback at the fastest rate, so that no moment counts twice. */
    creditedUntil: epochMs('credited_until'),
    positionS: integer('position_s').notNull().default(0),
    completedAt: epochMs('completed_at'),
    firstAt: epochMs('first_at').notNull(),
    lastAt: epochMs('last_at').notNull(),
    /** Grows with each report, so that of two that come at once the second is counted on top of the first. */
    version: integer('version').notNull().default(0),
    /** A random mark of the write that made this version; the other statements of its batch count only while it stands. */
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
    /** What was played, as the xAPI video profile writes it: `0[.]12[,]14[.]21`, seconds; in order as long as it is short. */
    played: text('played').notNull(),
    positionS: integer('position_s').notNull(),
    /** Whether more was reported than the clock allows. */
    isSelfReported: integer('is_self_reported', { mode: 'boolean' }).notNull().default(false),
    startedAt: epochMs('started_at').notNull(),
    lastAt: epochMs('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.learnerId, t.sessionId] })],
)

/** What became of a step in numbers of learners, for the times that it had when they were counted. Histograms are JSON objects. */
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
    /** Learners who were last seen in the step, by the percent of the video that they have seen. */
    leftByPercent: text('left_by_percent').notNull().default('{}'),
    /** Learners up to this id are counted; {@link ALL_COUNTED} when all of them are. */
    countedTo: text('counted_to').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.stepId] })],
)

/** Sums over a module's learners. */
export const learningTotals = sqliteTable('learning_totals', {
  moduleId: text('module_id').primaryKey(),
  learners: integer('learners').notNull(),
  seenSeconds: integer('seen_seconds').notNull(),
  /** Learners by the percent of the video that they have seen, and by the percent that is verified: JSON objects. */
  percents: text('percents').notNull().default('{}'),
  verified: text('verified').notNull().default('{}'),
  /** Learners who have seen something of a piece of the video, by the number of the piece. */
  curve: text('curve').notNull().default('{}'),
  /** Changes whenever steps are recounted, so that no report is missed by the count or counted twice. */
  recount: text('recount').notNull().default(''),
})

/** Accounts that were erased, so that what was signed for their learners before opens nothing. */
export const erasedLearners = sqliteTable(
  'erased_learners',
  {
    /** A hash of the learner's id. */
    who: text('who').primaryKey(),
    erasedAt: epochMs('erased_at').notNull(),
  },
  (t) => [index('erased_learners_by_time').on(t.erasedAt)],
)

/** What was counted towards the limits of a day (UTC). */
export const learningUses = sqliteTable(
  'learning_uses',
  {
    day: text('day').notNull(),
    /** A keyed hash of a network or its site, of either and a module, of a module, of a learner, or of an account. */
    who: text('who').notNull(),
    /** New learners, and reports. */
    learners: integer('learners').notNull(),
    reports: integer('reports').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.who] })],
)

/** What people say of trainings. */
export const feedback = sqliteTable(
  'feedback',
  {
    id: text('id').primaryKey(),
    /** Null for what never became a module. */
    moduleId: text('module_id'),
    userId: text('user_id'),
    type: text('type').$type<FeedbackKind>().notNull(),
    action: text('action').$type<FeedbackAction>(),
    context: text('context'),
    userMessage: text('user_message'),
    aiResponse: text('ai_response'),
    createdAt: epochMs('created_at').notNull(),
  },
  (t) => [
    index('feedback_by_module').on(t.moduleId, t.createdAt),
    index('feedback_by_kind').on(t.moduleId, t.type, t.action),
    index('feedback_by_user').on(t.userId, t.createdAt),
  ],
)

/** What waits for the trainer. SQLite uses a partial index only for a query that says the same. */
const IS_OPEN = sql`settled_at IS NULL`

/** Written in the place of `answered_by` on what a device asked that its trainer wants to hear nothing of. */
export const IGNORED = 'ignored'

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
    /** `steps`, `extractive`, {@link IGNORED} or the model's name; null until there is an answer. */
    answeredBy: text('answered_by'),
    /** Null while the answer is running, and after its runner died. */
    end: text('outcome').$type<AnswerEnd>(),
    createdAt: epochMs('created_at').notNull(),
    endedAt: epochMs('ended_at'),
    /** When the trainer was done with it, or an owner asked it; null while it is on the list. */
    settledAt: epochMs('settled_at'),
    /** When its author asked the trainer; null for what only the tutor was asked. */
    askedAt: epochMs('asked_at'),
    /** In which language of the app that was; null where it is not known. */
    askedIn: text('asked_in'),
    /** The trainer's answer to it; null while there is none. */
    answerId: text('answer_id'),
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

/** What a sweep takes something off once it is old. */
export const IS_REPORT_EXPIRING = sql`(photo_type IS NOT NULL OR settled_at IS NOT NULL OR is_ignored = 1)`

/** What learners report from a step (docs/decisions/reports-from-a-step.md). */
export const stepReports = sqliteTable(
  'step_reports',
  {
    moduleId: text('module_id').notNull(),
    /** Made by the device. */
    id: text('id').notNull(),
    /** Null for a step that neither the draft nor the published version has. */
    stepId: text('step_id'),
    kind: text('kind').$type<StepReportKind>().notNull(),
    text: text('text').notNull(),
    /** Of the photo in the bucket; null without one. */
    photoType: text('photo_type').$type<'image/webp' | 'image/jpeg'>(),
    /** As of `learners`. */
    learnerId: text('learner_id').notNull(),
    /** Its trainer wants to read nothing of this device. */
    isIgnored: integer('is_ignored', { mode: 'boolean' }).notNull().default(false),
    createdAt: epochMs('created_at').notNull(),
    /** Null while it is open. */
    settledAt: epochMs('settled_at'),
    /** What the trainer said to it. */
    answer: text('answer').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.id] }),
    index('step_reports_open').on(t.moduleId, t.createdAt).where(sql`settled_at IS NULL AND is_ignored = 0`),
    index('step_reports_by_learner').on(t.learnerId, t.moduleId),
    index('step_reports_expiring').on(t.createdAt).where(IS_REPORT_EXPIRING),
  ],
)

/** What the trainer of a module answered. It names nobody: whoever may change the module may change it. */
export const trainerAnswers = sqliteTable(
  'trainer_answers',
  {
    id: text('id').primaryKey(),
    moduleId: text('module_id').notNull(),
    /** As the trainer reads it, and as learners do. */
    question: text('question').notNull(),
    /** In which other words it was asked. */
    wordings: text('wordings', { mode: 'json' }).$type<string[]>().notNull(),
    text: text('text').notNull(),
    /** The step that it points at; null for none. */
    stepId: text('step_id'),
    /** A moment of the video in place of the start of that step; null for none. */
    momentMs: integer('moment_ms'),
    /** Hash of what that step says, or all steps do, as learners read it when the answer was given or confirmed. */
    stepsHash: text('steps_hash').notNull(),
    /** Whether it stands in print and in exports. */
    inPrint: integer('in_print', { mode: 'boolean' }).notNull().default(false),
    answeredAt: epochMs('answered_at').notNull(),
  },
  (t) => [index('trainer_answers_by_module').on(t.moduleId, t.answeredAt)],
)

/** How often a model was asked about a module on one day. */
export const tutorDays = sqliteTable(
  'tutor_days',
  {
    moduleId: text('module_id').notNull(),
    /** `2026-11-21`, UTC. */
    day: text('day').notNull(),
    modelAnswers: integer('model_answers').notNull(),
    /** Those of them that were written for people with the link. */
    linkAnswers: integer('link_answers').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.day] }), index('tutor_days_by_day').on(t.day)],
)
