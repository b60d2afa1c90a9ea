import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done, type Module } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { AT_WORK_KEY, dropCachedModule, MODULES_KEY } from '#web/lib/module-cache.ts'

/** Hides the module at once and shows it again if the server does not agree. */
export function useDeleteModule() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Module) =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}`, method: 'DELETE', schema: Done }),
    onMutate: async ({ id }) => {
      // A list that is on its way would bring the module back.
      await queryClient.cancelQueries({ queryKey: MODULES_KEY })
      return { putBack: dropCachedModule(queryClient, id) }
    },
    onSuccess: (_, { title }) => toast.success(`“${title}” was deleted`),
    onError: (error, _, context) => {
      context?.putBack()
      toast.error('Failed to delete module', { description: error.message })
    },
    // The pages have been changed in place; only what they do not say is asked for.
    onSettled: () => queryClient.invalidateQueries({ queryKey: AT_WORK_KEY }),
  })
}
