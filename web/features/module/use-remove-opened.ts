import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import type { OpenedModule } from '#contract/opened-module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { OPENED_KEY } from '#web/lib/module-cache.ts'
import { OPENED_PATH } from './opened-query.ts'

/** Takes a training off the list at once, and puts it back if the server does not agree. */
export function useRemoveOpened() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: OpenedModule) =>
      callApi({ path: `${OPENED_PATH}/${encodeURIComponent(id)}`, method: 'DELETE', schema: Done }),
    onMutate: async ({ id }) => {
      // A list that is on its way would bring the training back.
      await queryClient.cancelQueries({ queryKey: OPENED_KEY })
      const before = queryClient.getQueryData<OpenedModule[]>(OPENED_KEY)
      queryClient.setQueryData<OpenedModule[]>(OPENED_KEY, (modules) => modules?.filter((one) => one.id !== id))
      return { before }
    },
    onError: (error, _, context) => {
      queryClient.setQueryData(OPENED_KEY, context?.before)
      toast.error('Failed to remove the training', { description: error.message })
    },
  })
}
