import { z } from 'zod'
import { REPORT_SEGMENTS_MAX, VIDEO_MAX_S } from './limits.ts'
import { Success } from './problem.ts'

/** Share of the video's seconds that make it completed, where its owner says nothing else. */
export const COMPLETION_PERCENT = 90

/** The last moment of a four-digit year. */
const MAX_TIME_MS = 253_402_300_799_999
const seconds = z.number().finite().min(0).max(VIDEO_MAX_S)
/** Signed by the server; browsers keep it and hand it back. */
export const LearnerToken = z.string().max(1_000)

/** Query of `GET /api/learning-metrics/{id}/mine`: who asks, where no bearer token says it. */
export const LearnerRequest = z.object({ learner: LearnerToken.optional() })
export type LearnerRequest = z.infer<typeof LearnerRequest>

/**
 * Body of `POST /api/learning-metrics/{id}/sessions`: who opens the page. A learner without an account sends the token of
 * the last visit; without one, the learner is new.
 */
export const SessionRequest = z.strictObject({
  learner: LearnerToken.optional(),
  /** Token of a learner without an account whose progress becomes the account's. */
  claim: LearnerToken.optional(),
  /** Random, one per opened page: a session that is started again with it continues the same reports. */
  page: z
    .string()
    .regex(/^[\w-]{16,64}$/, 'must be 16 to 64 letters, digits, - or _')
    .optional(),
  /**
   * Token of a session of the same learner that was started when the training was kept on this device: what is played
   * without a network is held against the time since then.
   */
  since: LearnerToken.optional(),
  /** Version of the steps that the page shows. A copy on the device, or a page that is long open, shows an earlier one. */
  stepsVersion: z.number().int().optional(),
})
export type SessionRequest = z.infer<typeof SessionRequest>

/**
 * Body of `POST /api/learning-metrics`: what a page has played since its last report. A report that comes again changes
 * nothing. What an owner plays is not counted. Playback is credited up to the time since the session began, at the
 * fastest rate; a report that is far ahead of that is kept as self-reported.
 */
export const LearningReport = z.strictObject({
  moduleId: z.string().min(1).max(64),
  /** Token of the session. One that is not valid is answered by `session_invalid`. */
  session: LearnerToken,
  /** Grows with each report of a session; what is not above the last one is a repetition. */
  seq: z.number().int().min(1).max(1_000_000),
  /** `[from, to]` in seconds of the video, in the order in which they were played. */
  segments: z.array(z.tuple([seconds, seconds])).max(REPORT_SEGMENTS_MAX),
  /** Where the video stands, seconds. */
  position: seconds,
  /** When the last of it was played, by the clock of the device; epoch milliseconds. */
  playedAtMs: z.number().int().min(0).max(MAX_TIME_MS).optional(),
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
  /** Where to resume, seconds; 0 after the end. */
  position: z.number(),
})
export type LearnerProgress = z.infer<typeof LearnerProgress>

/** Answer of `POST /api/learning-metrics`, and of `GET /api/learning-metrics/{id}/mine`. */
export const LearningAnswer = Success.extend({ progress: LearnerProgress })
export type LearningAnswer = z.infer<typeof LearningAnswer>

/** Answer of `POST /api/learning-metrics/{id}/sessions`. */
export const SessionAnswer = Success.extend({
  /** For the next session: of the account, or of this learner at this module. */
  learner: LearnerToken,
  /** For the reports of this page. */
  session: LearnerToken,
  hasAccount: z.boolean(),
  progress: LearnerProgress,
})
export type SessionAnswer = z.infer<typeof SessionAnswer>

/** Answer of `POST /api/learning-metrics/account`: the account's token for pages of this device that know no sign-in. */
export const AccountLearnerAnswer = Success.extend({ learner: LearnerToken })
export type AccountLearnerAnswer = z.infer<typeof AccountLearnerAnswer>

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
  /** What was reported from here. */
  reports: z.number().int().default(0),
})
export type StepMetrics = z.infer<typeof StepMetrics>

/** Answer of `GET /api/learning-metrics/{id}`. Owners only. */
export const LearningMetricsAnswer = Success.extend({
  learners: z.number().int(),
  /** Learners who have completed the video no faster than it can be played. */
  completed: z.number().int(),
  /** Learners who have completed it only with playback that was reported later, as without a connection. */
  selfReported: z.number().int(),
  /** Mean share of the video that learners have seen, 0–100 with one decimal; null without learners. */
  meanPercent: z.number().nullable(),
  /** What share of the seconds makes the video completed, 1–100. */
  completionPercent: z.number().int(),
  /** How many learners have seen something of each piece of the video, all of one length but the last. */
  curve: z.object({ pieceSeconds: z.number().int(), learners: z.array(z.number().int()) }),
  steps: z.array(StepMetrics),
  /** Whether the numbers of steps that were changed do not yet count every learner; ask again for the rest. */
  isCounting: z.boolean(),
})
export type LearningMetricsAnswer = z.infer<typeof LearningMetricsAnswer>

/**
 * Query of `GET /api/learning-metrics/{id}/export`: a row per learner, or statements of the xAPI video profile.
 * @see https://w3id.org/xapi/video
 */
export const LearningExportRequest = z.object({ format: z.enum(['csv', 'xapi']) })
export type LearningExportRequest = z.infer<typeof LearningExportRequest>

/** Name of a learner in downloads, as it is written in the path of `DELETE /api/learning-metrics/{id}/learners/{pseudonym}`. */
export const Pseudonym = z.string().regex(/^[0-9a-f]{32}$/, 'must be the 32 characters of the column Pseudonym')
