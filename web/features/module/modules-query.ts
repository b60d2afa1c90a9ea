import { queryOptions } from '@tanstack/react-query'
import { MODULES_BACKOFF_MS, MODULES_FETCH_ATTEMPTS, STATUS_POLL_MS } from '#contract/limits.ts'
import { type Module, ModuleListAnswer } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { canPass } from '#web/lib/query-client.ts'

export const MODULES_KEY = ['modules'] as const

/** The caller's modules. While one of them is processing, they are asked for again every 5 s. */
export function modulesQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: MODULES_KEY,
    queryFn: async ({ signal }): Promise<Module[]> => {
      const answer = await callApi({ path: '/api/modules', schema: ModuleListAnswer, signal })
      return answer.modules
    },
    retry: (failures, error) => failures + 1 < MODULES_FETCH_ATTEMPTS && canPass(error),
    retryDelay: (failures) => MODULES_BACKOFF_MS * (failures + 1),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'PROCESSING') ? STATUS_POLL_MS : false,
  })
}
