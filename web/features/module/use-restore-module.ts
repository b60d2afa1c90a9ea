import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { DeletedModule } from '#contract/deleted-module.ts'
import { Done } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { DELETED_KEY, MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'

/** Brings a deleted module back. Where it stands among the others is for the server to say. */
export function useRestoreModule() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<DeletedModule, 'id' | 'title'>) =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}/restore`, method: 'POST', schema: Done }),
    onSuccess: (_, { id, title }) => {
      queryClient.setQueryData<DeletedModule[]>(DELETED_KEY, (modules) => modules?.filter((one) => one.id !== id))
      void queryClient.invalidateQueries({ queryKey: moduleKey(id) })
      toast.success(`“${title}” is back`)
      return queryClient.invalidateQueries({ queryKey: MODULES_KEY })
    },
    onError: (error) => toast.error('Failed to restore module', { description: error.message }),
  })
}
