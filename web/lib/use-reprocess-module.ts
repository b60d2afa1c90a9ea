import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { ReprocessAnswer, type ReprocessRequest } from '#contract/reprocess.ts'
import { useApi } from './api-context.tsx'
import { showBegunRun } from './module-cache.ts'
import { quotaSentence } from './quota-sentence.ts'

interface Reprocess {
  moduleId: string
  /** `failed` resumes where the last run broke off, `start` starts from the beginning. */
  from: NonNullable<ReprocessRequest['from']>
}

/** Has a module processed again, and shows that it is; says how asking for it went. */
export function useReprocessModule({ onBegun }: { onBegun?: () => unknown } = {}) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ moduleId, from }: Reprocess) =>
      callApi({
        path: `/api/reprocess/${encodeURIComponent(moduleId)}`,
        method: 'POST',
        body: { from } satisfies ReprocessRequest,
        schema: ReprocessAnswer,
      }),
    onSuccess: (_, { moduleId }) => {
      toast.success('Retry initiated! Check back in a few minutes.')
      return Promise.all([showBegunRun(queryClient, moduleId, 'Waiting for its turn'), onBegun?.()])
    },
    onError: (error) => toast.error('Failed to retry module', { description: quotaSentence(error) ?? error.message }),
  })
}
