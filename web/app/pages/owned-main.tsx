import type { UseQueryResult } from '@tanstack/react-query'
import type { Step, StepsAnswer } from '#contract/step.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { EditableSteps } from './editable-steps.tsx'
import { StepsFeedback } from './steps-feedback.tsx'
import { TrainingLearners } from './training-learners.tsx'
import { TrainingProposals } from './training-proposals.tsx'
import { TrainingQuestions } from './training-questions.tsx'
import { useOwnedSteps } from './use-owned-steps.ts'

interface OwnedMainProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  stepCount: number
  playhead: Playhead
  /** Whether a line of the transcript has been changed and not saved. */
  isLineUnsaved: boolean
  currentId: string | null
  onJump: (step: Step) => void
}

/** What an owner does with a training: its steps, what a new run offers, and what learners asked and watched. */
export function OwnedMain({ module, steps, stepCount, playhead, isLineUnsaved, ...list }: OwnedMainProps) {
  const owned = useOwnedSteps({ module, query: steps, playhead })
  const { editing, saves } = owned
  return (
    <>
      <EditableSteps {...list} {...{ module, playhead, owned }} query={steps} />
      <StepsFeedback module={module} stepCount={stepCount} />
      <TrainingProposals module={module} steps={steps.data?.steps} />
      <TrainingQuestions {...{ module, playhead, owned }} />
      <TrainingLearners module={module} />
      {/* One for the whole page: the router asks only one. */}
      <UnsavedGuard
        isUnsaved={editing.hasUnsaved || saves.isSaving || isLineUnsaved}
        onLeave={async () => (await editing.saveAll()) && !isLineUnsaved}
      />
    </>
  )
}
