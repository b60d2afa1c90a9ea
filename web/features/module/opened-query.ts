import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Done, type Module } from '#contract/module.ts'
import { OpenedListAnswer, type OpenedModule } from '#contract/opened-module.ts'
import { type CallApi, useApi } from '#web/lib/api-context.tsx'
import { OPENED_KEY } from '#web/lib/module-cache.ts'

const OPENED_PATH = '/api/opened-modules'

export function openedPath(moduleId: string): string {
  return `${OPENED_PATH}/${encodeURIComponent(moduleId)}`
}

/** The trainings of others that the caller opened, newest first. */
export function openedQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: OPENED_KEY,
    queryFn: async ({ signal }): Promise<OpenedModule[]> =>
      (await callApi({ path: OPENED_PATH, schema: OpenedListAnswer, signal })).modules,
  })
}

/** Puts a training of another person on the list of those that were opened. Where that fails, only the list lacks it. */
export function useRecordOpened({ id, role }: Pick<Module, 'id' | 'role'>): void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (moduleId: string) => callApi({ path: openedPath(moduleId), method: 'PUT', schema: Done }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: OPENED_KEY }),
  })
  useEffect(() => {
    if (role === 'viewer') mutate(id)
  }, [id, role, mutate])
}
