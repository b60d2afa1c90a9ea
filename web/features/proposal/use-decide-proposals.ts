import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type DecideProposals, type Step, StepsAnswer } from '#contract/step.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { proposalsQuery } from './proposals-query.ts'

const DONE = {
  accept: { one: 'Step added', many: 'steps added' },
  reject: { one: 'Proposal rejected', many: 'proposals rejected' },
  undo: { one: 'Taken back', many: 'decisions taken back' },
} as const

/**
 * Decides on proposals: removes them from the list at once, and restores them if the server refuses.
 * @param onSteps called with the steps after the decision
 */
export function useDecideProposals(moduleId: string, onSteps: (answer: StepsAnswer) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = proposalsQuery(callApi, moduleId)
  const decide = useMutation({
    mutationFn: (body: DecideProposals) =>
      callApi({
        path: `/api/steps/${encodeURIComponent(moduleId)}/proposals`,
        method: 'POST',
        body,
        schema: StepsAnswer,
      }),
    onMutate: async ({ ids }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (offered: Step[] | undefined) =>
        offered?.filter((step) => !ids.includes(step.id)),
      )
      return { before }
    },
    onSuccess: (answer, { ids, decision }) => {
      onSteps(answer)
      const { one, many } = DONE[decision]
      const undo = { label: 'Undo', onClick: () => decide.mutate({ ids, decision: 'undo' }) }
      toast.success(ids.length === 1 ? one : `${ids.length} ${many}`, decision === 'undo' ? {} : { action: undo })
    },
    onError: (error, _, context) => {
      queryClient.setQueryData(queryKey, context?.before)
      toast.error('The decision could not be saved', { description: error.message })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  return decide
}
