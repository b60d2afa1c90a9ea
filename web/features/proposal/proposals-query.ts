import { queryOptions } from '@tanstack/react-query'
import { ProposalsAnswer, type Step } from '#contract/step.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

/** What the last run offers beside steps that a person has changed. Owners only. */
export function proposalsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['proposals', moduleId],
    queryFn: async ({ signal }): Promise<Step[]> => {
      const path = `/api/steps/${encodeURIComponent(moduleId)}/proposals`
      return (await callApi({ path, schema: ProposalsAnswer, signal })).proposals
    },
  })
}
