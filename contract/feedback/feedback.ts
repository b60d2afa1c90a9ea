import { z } from 'zod'
import { FEEDBACK_CONTEXT_MAX_CHARS, FEEDBACK_MAX_CHARS } from '../limits.ts'
import { Success } from '../problem.ts'

/** What a rating is about. @see specification §9 */
export const FeedbackType = z.enum(['video_processing', 'step_generation', 'ai_suggestion', 'transcription'])
export type FeedbackType = z.infer<typeof FeedbackType>

/** How well it did. `worked` counts as positive. @see specification §9 */
export const FeedbackAction = z.enum(['worked', 'partially_working', 'not_working'])
export type FeedbackAction = z.infer<typeof FeedbackAction>

/** Everything that is kept: ratings by what they are about, and suggestions in words. */
export const FeedbackKind = z.enum([...FeedbackType.options, 'ai_improvement'])
export type FeedbackKind = z.infer<typeof FeedbackKind>

const moduleId = z.string().min(1).max(64)
const words = z.string().trim().max(FEEDBACK_MAX_CHARS).nullish()

/** A text, or a small object that is kept as JSON. */
const Context = z
  .union([z.string().trim(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
  .pipe(z.string().max(FEEDBACK_CONTEXT_MAX_CHARS))
  .nullish()

/**
 * Body of `POST /api/feedback/submit`. Every person who can open the module may rate it. Repeating a rating within a
 * minute changes nothing.
 */
export const SubmitFeedback = z
  .object({
    type: FeedbackType,
    action: FeedbackAction,
    /** Only a video that never became a module is rated without one. */
    moduleId: moduleId.nullish(),
    context: Context,
    userMessage: words,
    aiResponse: words,
    /** When the person said so, as their clock has it: ISO 8601 or epoch milliseconds. The server keeps its own. */
    timestamp: z.union([z.string().max(40), z.number()]).nullish(),
  })
  .refine(({ type, moduleId }) => type === 'video_processing' || (moduleId ?? null) !== null, {
    message: 'is missing',
    path: ['moduleId'],
  })
export type SubmitFeedback = z.infer<typeof SubmitFeedback>

/** Body of `POST /api/feedback/improvement`: what could be better, in a person's own words. */
export const SubmitImprovement = z.object({
  moduleId,
  feedback: z.string().trim().min(1, 'must not be empty').max(FEEDBACK_MAX_CHARS),
  type: z.literal('ai_improvement').default('ai_improvement'),
})
export type SubmitImprovement = z.infer<typeof SubmitImprovement>

/** Answer of both. `message` is what to say to the person. */
export const FeedbackAnswer = Success.extend({ message: z.string() })
export type FeedbackAnswer = z.infer<typeof FeedbackAnswer>

/** One piece of feedback as the owner of its module sees it. It never says who gave it. */
export const RecentFeedback = z.object({
  id: z.string(),
  type: FeedbackKind,
  /** Null for a suggestion, which has words instead. */
  action: FeedbackAction.nullable(),
  /** ISO 8601, UTC. */
  timestamp: z.string(),
  moduleId: z.string().nullable(),
  moduleTitle: z.string().nullable(),
  /** What the person wrote; null where nothing was written. */
  message: z.string().nullable(),
})
export type RecentFeedback = z.infer<typeof RecentFeedback>

/** Answer of `GET /api/feedback/stats`: feedback on the caller’s modules, and the caller’s feedback without one. */
export const FeedbackStatsAnswer = Success.extend({
  stats: z.object({
    /** Ratings: `positive + partial + negative`. Suggestions are counted by themselves. */
    total: z.number().int(),
    /** Ratings `worked`. */
    positive: z.number().int(),
    partial: z.number().int(),
    negative: z.number().int(),
    byType: z.record(FeedbackType, z.number().int()),
    suggestions: z.number().int(),
  }),
  /** The newest first, ratings and suggestions alike. */
  recentFeedback: z.array(RecentFeedback),
})
export type FeedbackStatsAnswer = z.infer<typeof FeedbackStatsAnswer>
