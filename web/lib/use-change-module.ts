import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done, type ModulePatch } from '#contract/module.ts'
import { useApi } from './api-context.tsx'
import { changeCachedModule, MODULES_KEY, moduleKey } from './module-cache.ts'

interface ModuleChange {
  patch: ModulePatch
  /** The same fields as they were, to go back to. */
  before: ModulePatch
}

/** Changes a module on the screen at once and then on the server; reverts what the server refuses. */
export function useChangeModule(moduleId: string, { failure }: { failure: string }) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    // One after the other, or two quick changes could arrive the other way round.
    scope: { id: `change-module-${moduleId}` },
    mutationFn: ({ patch }: ModuleChange) =>
      callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}`, method: 'PATCH', body: patch, schema: Done }),
    onMutate: async ({ patch }) => {
      // An answer that is on its way would bring the old state back.
      await queryClient.cancelQueries({ queryKey: MODULES_KEY })
      await queryClient.cancelQueries({ queryKey: moduleKey(moduleId) })
      changeCachedModule(queryClient, moduleId, patch)
    },
    onError: (error, { before }) => {
      changeCachedModule(queryClient, moduleId, before)
      toast.error(failure, { description: error.message })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) }),
  })
}
