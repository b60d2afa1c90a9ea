import { queryOptions } from '@tanstack/react-query'
import { type Module, ModuleListAnswer } from '#contract/module.ts'
import type { CallApi } from './api-context.tsx'
import { AT_WORK_KEY } from './module-cache.ts'

/** The caller's modules that are being processed: a short list, polled as often as its consumer needs. */
export function atWorkQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: AT_WORK_KEY,
    queryFn: async ({ signal }): Promise<Module[]> =>
      (await callApi({ path: '/api/modules/processing', schema: ModuleListAnswer, signal })).modules,
  })
}
