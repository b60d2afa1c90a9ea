import { queryOptions } from '@tanstack/react-query'
import { FeedbackStatsAnswer } from '#contract/feedback/feedback.ts'
import type { CallApi } from '#web/lib/api.ts'
import { FEEDBACK_STATS_KEY } from '#web/lib/module-cache.ts'

export function feedbackStatsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: FEEDBACK_STATS_KEY,
    queryFn: ({ signal }) => callApi({ path: '/api/feedback/stats', schema: FeedbackStatsAnswer, signal }),
  })
}
