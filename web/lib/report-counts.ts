import { queryOptions, useQuery } from '@tanstack/react-query'
import { ReportCountsAnswer } from '#contract/feedback/step-report.ts'
import { type CallApi, useApi } from './api.ts'

/** A person who has the dashboard open sees what learners report meanwhile. */
const REFRESH_MS = 30_000

/** How much is reported from the steps of a person's modules and not settled. */
function reportCountsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: ['report-counts'],
    queryFn: ({ signal }) => callApi({ path: '/api/step-reports', schema: ReportCountsAnswer, signal }),
    refetchInterval: REFRESH_MS,
  })
}

/** Open reports of one module; null where there are none, or their number is not known. */
export function useReportCount(moduleId: string): { open: number; dangerous: number } | null {
  const { data } = useQuery(reportCountsQuery(useApi()))
  return data?.modules.find((each) => each.moduleId === moduleId) ?? null
}
