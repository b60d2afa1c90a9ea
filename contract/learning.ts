import { z } from 'zod'
import { REPORT_SEGMENTS_MAX, VIDEO_MAX_S } from './limits.ts'

/** Share of the video's seconds that make it completed, where its owner says nothing else. */
export const COMPLETION_PERCENT = 90

const seconds = z.number().finite().min(0).max(VIDEO_MAX_S)
/** Made by the browser. */
export const RandomId = z.string().regex(/^[\w-]{16,64}$/, 'must be 16 to 64 letters, digits, - or _')

/** Query of `GET /api/learning-metrics/{id}/mine`. */
export const LearnerRequest = z.object({ learnerId: RandomId })
export type LearnerRequest = z.infer<typeof LearnerRequest>

/**
 * Body of `POST /api/learning-metrics`: what a page has played since its last report. A report that comes again changes
 * nothing. Whoever is signed in is known by the account; others by an id that stays in their browser. What an owner
 * plays is not counted.
 */
export const LearningReport = z.strictObject({
  moduleId: z.string().min(1).max(64),
  learnerId: RandomId,
  /** One per opened page. */
  sessionId: RandomId,
  /** Grows with each report of a session; what is not above the last one is a repetition. */
  seq: z.number().int().min(1).max(1_000_000),
  /** `[from, to]` in seconds of the video, in the order in which they were played. */
  segments: z.array(z.tuple([seconds, seconds])).max(REPORT_SEGMENTS_MAX),
  /** Where the video stands, seconds. */
  position: seconds,
})
export type LearningReport = z.infer<typeof LearningReport>

const Ranges = z.array(z.tuple([z.number().int(), z.number().int()]))

/** How far a learner is with a module. */
export const LearnerProgress = z.object({
  /** Whole seconds of the video that were seen: `[from, to)`, sorted. */
  seen: Ranges,
  /** Share of the video's seconds that were seen, 0–100, rounded down. */
  percent: z.number().int().min(0).max(100),
  isCompleted: z.boolean(),
  /** Where to go on, seconds; 0 after the end. */
  position: z.number(),
})
export type LearnerProgress = z.infer<typeof LearnerProgress>

/** Answer of `POST /api/learning-metrics`, and of `GET /api/learning-metrics/{id}/mine?learnerId=…`. */
export const LearningAnswer = z.object({ success: z.literal(true), progress: LearnerProgress })
export type LearningAnswer = z.infer<typeof LearningAnswer>

/** What became of one step, in numbers of learners. */
export const StepMetrics = z.object({
  stepId: z.string(),
  title: z.string(),
  /** Seconds. */
  start: z.number(),
  end: z.number(),
  reached: z.number().int(),
  finished: z.number().int(),
  rewatched: z.number().int(),
  /** Learners who have not completed the video and were last seen here. */
  left: z.number().int(),
  /** Questions asked here. */
  questions: z.number().int(),
})
export type StepMetrics = z.infer<typeof StepMetrics>

/** Answer of `GET /api/learning-metrics/{id}`. Owners only. */
export const LearningMetricsAnswer = z.object({
  success: z.literal(true),
  learners: z.number().int(),
  completed: z.number().int(),
  /** Mean share of the video that learners have seen, 0–100 with one decimal; null while nobody has. */
  meanPercent: z.number().nullable(),
  /** What share of the seconds makes the video completed, 1–100. */
  completionPercent: z.number().int(),
  /** How many learners have seen something of each piece of the video, all of one length but the last. */
  curve: z.object({ pieceSeconds: z.number().int(), learners: z.array(z.number().int()) }),
  steps: z.array(StepMetrics),
})
export type LearningMetricsAnswer = z.infer<typeof LearningMetricsAnswer>

/**
 * Query of `GET /api/learning-metrics/{id}/export`: a row per learner, or statements of the xAPI video profile.
 * @see https://w3id.org/xapi/video
 */
export const LearningExportRequest = z.object({ format: z.enum(['csv', 'xapi']) })
export type LearningExportRequest = z.infer<typeof LearningExportRequest>
