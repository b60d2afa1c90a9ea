import { queryOptions } from '@tanstack/react-query'
import { MODULES_BACKOFF_MS, MODULES_FETCH_ATTEMPTS, STATUS_POLL_MS } from '#contract/limits.ts'
import { ShareAnswer } from '#contract/share.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { canPass } from '#web/lib/query-client.ts'

/** A module as anyone with the link sees it; asked again every 5 s until it has ended. */
export function shareQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['share', moduleId],
    queryFn: async ({ signal }) => {
      const path = `/api/share/${encodeURIComponent(moduleId)}`
      return (await callApi({ path, schema: ShareAnswer, signal })).module
    },
    refetchInterval: ({ state }) => (state.data?.status === 'PROCESSING' ? STATUS_POLL_MS : false),
    retry: (failures, error) => failures + 1 < MODULES_FETCH_ATTEMPTS && canPass(error),
    retryDelay: (attempt) => MODULES_BACKOFF_MS * (attempt + 1),
  })
}
