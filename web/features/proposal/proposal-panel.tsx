import { queryOptions } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { type DecideProposals, type Proposal, ProposalsAnswer, type Step, StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { showUndo } from '#web/ui/toast.tsx'
import { ProposalCard } from './proposal-card.tsx'

/** What the last run offers beside steps that a person has changed. Owners only. */
export function proposalsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['proposals', moduleId],
    queryFn: async ({ signal }): Promise<Proposal[]> =>
      (await callApi({ path: proposalsPath(moduleId), schema: ProposalsAnswer, signal })).proposals,
  })
}

/** A scene was seen, not said: it has no title until a person gives it one. */
export function isScene({ title }: Proposal): boolean {
  return title === ''
}

/** Scenes without a name; a step keeps the id of its scene, and is known before the scenes are loaded again. */
export function listUnnamed(offered: readonly Proposal[], steps: readonly Step[]): Proposal[] {
  return offered.filter((one) => isScene(one) && !steps.some(({ id }) => id === one.id))
}

function proposalsPath(moduleId: string): string {
  return `/api/steps/${encodeURIComponent(moduleId)}/proposals`
}

interface ProposalPanelProps {
  moduleId: string
  proposals: readonly Proposal[]
  steps: readonly Step[]
  onSteps: (answer: StepsAnswer) => void
}

/** What the last run would change, until all of it is decided on. Nothing is drawn where it never offered anything. */
export function ProposalPanel({ moduleId, proposals, steps, onSteps }: ProposalPanelProps) {
  const decide = useDecideProposals(moduleId, { steps, onSteps })
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
            {m.proposed_changes_heading()}
            {ids.length > 0 && <span className="text-sm font-normal text-ink-faint tabular-nums">{ids.length}</span>}
          </h2>
          {ids.length > 0 && (
            <div className="ms-auto flex flex-wrap gap-2">
              <Button variant="ghost" size="small" onClick={() => decide.mutate({ ids, decision: 'reject' })}>
                {m.reject_all()}
              </Button>
              <Button variant="secondary" size="small" onClick={() => decide.mutate({ ids, decision: 'accept' })}>
                {m.accept_all()}
              </Button>
            </div>
          )}
        </div>
        <p role="status" className="mt-1 text-sm text-ink-soft">
          {ids.length === 0 ? m.nothing_is_left_to_decide() : m.accept_one_to_replace_your()}
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

type SayCount = (values: { count: number }) => string

const REJECTED: SayCount = m.proposals_were_rejected
const UNDONE: SayCount = m.decisions_were_taken_back

function countDecided({ length }: readonly string[], say: SayCount): string {
  return say({ count: length })
}

/** What has become of the list: steps that gave way were replaced, and what came beyond them was added. */
function countAccepted(before: readonly Step[], after: readonly Step[]): string {
  const remainingIds = new Set(after.map(({ id }) => id))
  const earlierIds = new Set(before.map(({ id }) => id))
  const replaced = before.filter(({ id }) => !remainingIds.has(id)).length
  const added = Math.max(0, after.filter(({ id }) => !earlierIds.has(id)).length - replaced)
  const parts = [
    ...(added > 0 || replaced === 0 ? [m.steps_added({ count: added })] : []),
    ...(replaced > 0 ? [m.steps_replaced({ count: replaced })] : []),
  ]
  return parts.join(', ')
}

interface DecideOptions {
  /** How a rejection is called, for what is not called a proposal. */
  rejected?: SayCount
  /** As they are before the decision. */
  steps: readonly Step[]
  /** Called with the steps after it. */
  onSteps: (answer: StepsAnswer) => void
}

/**
 * Decides on proposals: removes them from the list at once, and restores them if the server refuses.
 */
export function useDecideProposals(moduleId: string, { steps, onSteps, rejected = REJECTED }: DecideOptions) {
  const callApi = useApi()
  const { queryKey } = proposalsQuery(callApi, moduleId)
  const decide = useOptimisticMutation({
    mutationFn: (body: DecideProposals) =>
      callApi({ path: proposalsPath(moduleId), method: 'POST', body, schema: StepsAnswer }),
    edits: ({ ids, decision }) =>
      decision === 'undo'
        ? []
        : [makeEdit<Proposal[]>(queryKey, (offered) => offered.filter((step) => !ids.includes(step.id)))],
    onSuccess: (answer, { ids, decision }) => {
      onSteps(answer)
      const words = decision === 'undo' ? UNDONE : rejected
      const done = decision === 'accept' ? countAccepted(steps, answer.steps) : countDecided(ids, words)
      if (decision === 'undo') toast.success(done)
      else showUndo(done, () => decide.mutate({ ids, decision: 'undo' }))
    },
    stale: () => [queryKey],
    failure: m.the_decision_could_not_be(),
  })
  return decide
}
