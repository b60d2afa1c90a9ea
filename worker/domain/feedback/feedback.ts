import { nanoid } from 'nanoid'
import type {
  FeedbackAction,
  FeedbackStatsAnswer,
  SubmitFeedback,
  SubmitImprovement,
} from '#contract/feedback/feedback.ts'
import { FEEDBACK_ANSWER_KEPT_CHARS } from '#contract/limits.ts'
import type { Context } from '#worker/core/context.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import { takeOne } from '#worker/domain/quota/take-quota.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type FeedbackCount, type FeedbackRow, insertFeedback, readOwnFeedback } from './feedback-store.ts'

/**
 * Stores a rating by a person who can open the module; the same rating within a minute changes nothing.
 * @throws {AppError} not_found for a module that the caller cannot open; quota_reached
 */
export function rate(context: Context, caller: Caller, rating: SubmitFeedback): Promise<void> {
  const { moduleId = null, type, action } = rating
  const aiResponse = rating.aiResponse?.slice(0, FEEDBACK_ANSWER_KEPT_CHARS).toWellFormed() || null
  const texts = { context: rating.context || null, userMessage: rating.userMessage || null, aiResponse }
  return keep(context, caller, { moduleId, type, action, ...texts })
}

/**
 * Stores a suggestion by a person who can open the module. The same text within a minute is stored once.
 * @throws {AppError} not_found for a module that the caller cannot open; quota_reached
 */
export function suggest(context: Context, caller: Caller, suggestion: SubmitImprovement): Promise<void> {
  const { moduleId, type, feedback: userMessage } = suggestion
  return keep(context, caller, { moduleId, type, action: null, context: null, userMessage, aiResponse: null })
}

async function keep(
  context: Context,
  caller: Caller,
  entry: Omit<FeedbackRow, 'id' | 'userId' | 'createdAt'>,
): Promise<void> {
  if (entry.moduleId !== null) await getModule(context, caller, entry.moduleId)
  await takeOne(context, 'feedback', caller.userId)
  await insertFeedback(context.d1, { ...entry, id: nanoid(), userId: caller.userId, createdAt: context.nowMs() })
}

/** Reads the feedback on the modules that the caller owns. */
export async function readFeedbackStats(d1: D1Database, caller: Caller): Promise<FeedbackStatsAnswer> {
  const { counts, recent } = await readOwnFeedback(d1, caller)
  const recentFeedback = recent.map(({ createdAt, userMessage: message, ...row }) => {
    return { ...row, message, timestamp: toIso(createdAt) }
  })
  return { success: true, stats: sumUp(counts), recentFeedback }
}

function sumUp(counts: readonly FeedbackCount[]): FeedbackStatsAnswer['stats'] {
  const sum = (isMeant: (each: FeedbackCount) => boolean) =>
    counts.filter(isMeant).reduce((total, each) => total + each.count, 0)
  const rated = (action: FeedbackAction) => sum((each) => each.action === action)
  const about = (type: FeedbackCount['type']) => sum((each) => each.type === type)
  return {
    total: sum(({ action }) => action !== null),
    positive: rated('worked'),
    partial: rated('partially_working'),
    negative: rated('not_working'),
    byType: {
      video_processing: about('video_processing'),
      step_generation: about('step_generation'),
      ai_suggestion: about('ai_suggestion'),
      transcription: about('transcription'),
    },
    suggestions: about('ai_improvement'),
  }
}
