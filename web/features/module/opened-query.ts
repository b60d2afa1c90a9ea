import { queryOptions } from '@tanstack/react-query'
import { OpenedListAnswer, type OpenedModule } from '#contract/opened-module.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { OPENED_KEY } from '#web/lib/module-cache.ts'

export const OPENED_PATH = '/api/opened-modules'

/** The trainings of others that the caller opened, newest first. */
export function openedQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: OPENED_KEY,
    queryFn: async ({ signal }): Promise<OpenedModule[]> =>
      (await callApi({ path: OPENED_PATH, schema: OpenedListAnswer, signal })).modules,
  })
}
