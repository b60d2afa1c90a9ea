import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { DebugModule } from '#contract/debug.ts'
import { ReprocessAnswer, type ReprocessRequest } from '#contract/reprocess.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { DEBUG_KEY } from './debug-queries.ts'

/** Processes a module again: what failed or got stuck goes on from there, and `start` begins anew. */
export function useRetryModule() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, from }: Pick<DebugModule, 'id'> & Required<Pick<ReprocessRequest, 'from'>>) =>
      callApi({
        path: `/api/reprocess/${encodeURIComponent(id)}`,
        method: 'POST',
        body: { from } satisfies ReprocessRequest,
        schema: ReprocessAnswer,
      }),
    onSuccess: () => {
      toast.success('Retry initiated! Check back in a few minutes.')
      return queryClient.invalidateQueries({ queryKey: DEBUG_KEY })
    },
    onError: (error) => toast.error('Failed to retry module', { description: error.message }),
  })
}
