import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Done, type Module } from '#contract/module.ts'
import { OPENED_PATH } from '#web/features/module/opened-query.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { OPENED_KEY } from '#web/lib/module-cache.ts'

/** Puts a training of another person on the list of those that were opened. Where that fails, only the list lacks it. */
export function useRecordOpened({ id, role }: Pick<Module, 'id' | 'role'>): void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (moduleId: string) =>
      callApi({ path: `${OPENED_PATH}/${encodeURIComponent(moduleId)}`, method: 'PUT', schema: Done }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: OPENED_KEY }),
  })
  useEffect(() => {
    if (role === 'viewer') mutate(id)
  }, [id, role, mutate])
}
