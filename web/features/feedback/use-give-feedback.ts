import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { FeedbackAnswer, type SubmitFeedback } from '#contract/feedback.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { FEEDBACK_STATS_KEY } from './feedback-stats-query.ts'

const FAILED = 'Failed to submit feedback. Please try again.'

/** A rating without the moment, which is that of the press. */
export type Rating = Omit<SubmitFeedback, 'timestamp'>

/** Sends a rating; says when that failed. */
export function useRate() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (rating: Rating) =>
      callApi({
        path: '/api/feedback/submit',
        method: 'POST',
        body: { ...rating, timestamp: new Date().toISOString() } satisfies SubmitFeedback,
        schema: FeedbackAnswer,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: FEEDBACK_STATS_KEY }),
    onError: () => toast.error(FAILED),
  })
}

/** Sends what could be better, and says how that went. */
export function useSuggest(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (feedback: string) =>
      callApi({
        path: '/api/feedback/improvement',
        method: 'POST',
        body: { moduleId, feedback, type: 'ai_improvement' },
        schema: FeedbackAnswer,
      }),
    onSuccess: () => {
      toast.success("Thank you for your feedback! We'll use it to improve this training.")
      return queryClient.invalidateQueries({ queryKey: FEEDBACK_STATS_KEY })
    },
    onError: () => toast.error(FAILED),
  })
}
