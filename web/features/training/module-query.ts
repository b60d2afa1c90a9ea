import { queryOptions } from '@tanstack/react-query'
import { STATUS_POLL_MS } from '#contract/limits.ts'
import { ModuleAnswer } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api.ts'
import { MODULES_RETRY, moduleKey } from '#web/lib/module-cache.ts'

/** One module with its live state, loaded again every 5 s, because it may finish or be deleted. */
export function moduleQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: moduleKey(moduleId),
    queryFn: async ({ signal }) => {
      const path = `/api/modules/${encodeURIComponent(moduleId)}`
      return (await callApi({ path, schema: ModuleAnswer, signal })).module
    },
    refetchInterval: STATUS_POLL_MS,
    ...MODULES_RETRY,
  })
}

export type { LoadedModule } from '#web/lib/module-cache.ts'
