import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done, type Module } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { MODULES_KEY } from './modules-query.ts'

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
      const before = queryClient.getQueryData<Module[]>(MODULES_KEY)
      queryClient.setQueryData<Module[]>(MODULES_KEY, (modules) => modules?.filter((module) => module.id !== id))
      return { before }
    },
    onSuccess: (_, { title }) => toast.success(`“${title}” was deleted`),
    onError: (error, _, context) => {
      queryClient.setQueryData(MODULES_KEY, context?.before)
      toast.error('Failed to delete module', { description: error.message })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: MODULES_KEY }),
  })
}
