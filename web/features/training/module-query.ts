import { queryOptions } from '@tanstack/react-query'
import { MODULES_BACKOFF_MS, MODULES_FETCH_ATTEMPTS, STATUS_POLL_MS } from '#contract/limits.ts'
import { ModuleAnswer } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api.ts'
import { moduleKey } from '#web/lib/module-cache.ts'
import { canPass } from '#web/lib/query-client.ts'

/** One module with its live state, loaded again every 5 s, because it may finish or be deleted. */
export function moduleQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: moduleKey(moduleId),
    queryFn: async ({ signal }) => {
      const path = `/api/modules/${encodeURIComponent(moduleId)}`
      return (await callApi({ path, schema: ModuleAnswer, signal })).module
    },
    refetchInterval: STATUS_POLL_MS,
    retry: (failures, error) => failures + 1 < MODULES_FETCH_ATTEMPTS && canPass(error),
    retryDelay: (attempt) => MODULES_BACKOFF_MS * (attempt + 1),
  })
}

export type { LoadedModule } from '#web/lib/module-cache.ts'
