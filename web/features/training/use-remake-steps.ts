import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { ReprocessAnswer, type ReprocessRequest } from '#contract/reprocess.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { type LoadedModule, moduleQuery } from './module-query.ts'

/** Begins a new run: a failed module goes on from where it broke off, a finished one is heard again. */
export function useRemakeSteps(module: LoadedModule) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = moduleQuery(callApi, module.id)
  return useMutation({
    mutationFn: () =>
      callApi({
        path: `/api/reprocess/${encodeURIComponent(module.id)}`,
        method: 'POST',
        body: { from: module.status === 'FAILED' ? 'failed' : 'start' } satisfies ReprocessRequest,
        schema: ReprocessAnswer,
      }),
    onSuccess: () => {
      toast.success('Retry initiated! Check back in a few minutes.')
      const begun = { status: 'PROCESSING', progress: 0, message: 'Waiting for its turn' } as const
      queryClient.setQueryData(queryKey, (now: LoadedModule | undefined) => now && { ...now, ...begun })
      return queryClient.invalidateQueries({ queryKey })
    },
    onError: (error) => toast.error('Failed to retry module', { description: error.message }),
  })
}
