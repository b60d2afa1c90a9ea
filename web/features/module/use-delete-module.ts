import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done, type Module } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { AT_WORK_KEY, DELETED_KEY, dropCachedModule, MODULES_KEY } from '#web/lib/module-cache.ts'
import { UNDO_MS } from '#web/lib/undo-ms.ts'
import { useRestoreModule } from './use-restore-module.ts'

/** Hides the module at once, shows it again if the server does not agree, and offers to take it back. */
export function useDeleteModule() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { mutate: restore } = useRestoreModule()
  return useMutation({
    mutationFn: ({ id }: Module) =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}`, method: 'DELETE', schema: Done }),
    onMutate: async ({ id }) => {
      // A list that is on its way would bring the module back.
      await queryClient.cancelQueries({ queryKey: MODULES_KEY })
      return { putBack: dropCachedModule(queryClient, id) }
    },
    onSuccess: (_, module) => {
      const action = { label: 'Undo', onClick: () => restore(module) }
      toast.success(`“${module.title}” was deleted`, { duration: UNDO_MS, action })
    },
    onError: (error, _, context) => {
      context?.putBack()
      toast.error('Failed to delete module', { description: error.message })
    },
    // The pages have been changed in place, so only what they do not say is asked for. Where the answer was lost, the
    // module may be gone nevertheless.
    onSettled: (_, error) => {
      const stale = error === null ? [AT_WORK_KEY, DELETED_KEY] : [MODULES_KEY]
      return Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
  })
}
