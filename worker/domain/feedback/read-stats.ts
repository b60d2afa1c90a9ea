import type { FeedbackAction, FeedbackStatsAnswer, RecentFeedback } from '#contract/feedback.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type FeedbackCount, readOwnFeedback, type TitledFeedback } from './feedback-store.ts'

/** Reads the feedback on the modules that the caller owns. */
export async function readFeedbackStats(d1: D1Database, caller: Caller): Promise<FeedbackStatsAnswer> {
  const { counts, recent } = await readOwnFeedback(d1, caller)
  return { success: true, stats: sumUp(counts), recentFeedback: recent.map(presentFeedback) }
}

function sumUp(counts: readonly FeedbackCount[]): FeedbackStatsAnswer['stats'] {
  const sum = (isMeant: (each: FeedbackCount) => boolean) =>
    counts.filter(isMeant).reduce((total, each) => total + each.count, 0)
  const rated = (action: FeedbackAction) => sum((each) => each.action === action)
  const about = (type: FeedbackCount['type']) => sum((each) => each.type === type)
  return {
    total: sum((each) => each.action !== null),
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

function presentFeedback({ createdAt, userMessage, ...row }: TitledFeedback): RecentFeedback {
  return { ...row, message: userMessage, timestamp: new Date(createdAt).toISOString() }
}
