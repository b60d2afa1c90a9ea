import { queryOptions } from '@tanstack/react-query'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

/** Learners report every ten seconds; a trainer who looks on sees them come. */
const LOOK_AGAIN_MS = 30_000
/** Each look counts some learners more. */
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
