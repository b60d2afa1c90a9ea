import { queryOptions } from '@tanstack/react-query'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

/** Learners report every ten seconds, so an open page shows new ones soon. */
const LOOK_AGAIN_MS = 30_000
/** Each request counts some more learners, so an incomplete count is requested again soon. */
const COUNT_ON_MS = 2_000

export function metricsPath(moduleId: string): string {
  return `/api/learning-metrics/${encodeURIComponent(moduleId)}`
}

export function metricsKey(moduleId: string) {
  return ['learning-metrics', moduleId] as const
}

/** What became of a module with its learners. */
export function metricsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: metricsKey(moduleId),
    queryFn: ({ signal }) => callApi({ path: metricsPath(moduleId), schema: LearningMetricsAnswer, signal }),
    refetchInterval: ({ state }) => (state.data?.isCounting ? COUNT_ON_MS : LOOK_AGAIN_MS),
  })
}
