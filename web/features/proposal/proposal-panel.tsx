import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { type DecideProposals, ProposalsAnswer, type Step, StepsAnswer } from '#contract/step.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ProposalCard } from './proposal-card.tsx'

/** What the last run offers beside steps that a person has changed. Owners only. */
export function proposalsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['proposals', moduleId],
    queryFn: async ({ signal }): Promise<Step[]> =>
      (await callApi({ path: proposalsPath(moduleId), schema: ProposalsAnswer, signal })).proposals,
  })
}

function proposalsPath(moduleId: string): string {
  return `/api/steps/${encodeURIComponent(moduleId)}/proposals`
}

interface ProposalPanelProps {
  moduleId: string
  proposals: readonly Step[]
  steps: readonly Step[]
  onSteps: (answer: StepsAnswer) => void
}

/** What the last run would change, until all of it is decided on. Nothing is drawn where it never offered anything. */
export function ProposalPanel({ moduleId, proposals, steps, onSteps }: ProposalPanelProps) {
  const decide = useDecideProposals(moduleId, onSteps)
  const heading = useFocusWhenFewer(proposals.length)
  const [wasOffered, setWasOffered] = useState(false)
  if (proposals.length > 0 && !wasOffered) setWasOffered(true)
  const ids = proposals.map((step) => step.id)
  if (!wasOffered) return null
  return (
    <Card className="@container p-4">
      <section aria-labelledby="proposals-heading">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 ref={heading} id="proposals-heading" tabIndex={-1} className="flex items-center gap-2 font-semibold">
            <Sparkles aria-hidden="true" className="size-4 text-brand" />
            Proposed changes
            {ids.length > 0 && <span className="text-sm font-normal text-ink-faint tabular-nums">{ids.length}</span>}
          </h2>
          {ids.length > 0 && (
            <div className="ml-auto flex flex-wrap gap-2">
              <Button variant="ghost" size="small" onClick={() => decide.mutate({ ids, decision: 'reject' })}>
                Reject all
              </Button>
              <Button variant="secondary" size="small" onClick={() => decide.mutate({ ids, decision: 'accept' })}>
                Accept all
              </Button>
            </div>
          )}
        </div>
        <p role="status" className="mt-1 text-sm text-ink-soft">
          {ids.length === 0
            ? 'Nothing is left to decide.'
            : 'Made again from the video. Accepting one adds it; steps that you have changed or added stay as they are.'}
        </p>
        {ids.length > 0 && (
          <ol className="mt-3 grid grid-cols-1 gap-3">
            {proposals.map((proposed) => (
              <ProposalCard
                key={proposed.id}
                proposed={proposed}
                steps={steps}
                onAccept={() => decide.mutate({ ids: [proposed.id], decision: 'accept' })}
                onReject={() => decide.mutate({ ids: [proposed.id], decision: 'reject' })}
              />
            ))}
          </ol>
        )}
      </section>
    </Card>
  )
}

const DONE = {
  accept: { one: 'Step added', many: 'steps added' },
  reject: { one: 'Proposal rejected', many: 'proposals rejected' },
  undo: { one: 'Taken back', many: 'decisions taken back' },
} as const

/**
 * Decides on proposals: removes them from the list at once, and restores them if the server refuses.
 * @param onSteps called with the steps after the decision
 */
function useDecideProposals(moduleId: string, onSteps: (answer: StepsAnswer) => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = proposalsQuery(callApi, moduleId)
  const decide = useMutation({
    mutationFn: (body: DecideProposals) =>
      callApi({ path: proposalsPath(moduleId), method: 'POST', body, schema: StepsAnswer }),
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
