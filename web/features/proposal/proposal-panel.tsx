import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { useDecideProposals } from './use-decide-proposals.ts'

interface ProposalPanelProps {
  moduleId: string
  proposals: readonly Step[]
  /** The steps as they are. */
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
          <ol className="mt-3 grid gap-3">
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
