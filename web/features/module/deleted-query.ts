import { queryOptions } from '@tanstack/react-query'
import { DeletedListAnswer, type DeletedModule } from '#contract/deleted-module.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { DELETED_KEY } from '#web/lib/module-cache.ts'

/** What the caller has deleted and can restore, the last deleted first. */
export function deletedQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: DELETED_KEY,
    queryFn: async ({ signal }): Promise<DeletedModule[]> =>
      (await callApi({ path: '/api/modules/deleted', schema: DeletedListAnswer, signal })).modules,
  })
}
