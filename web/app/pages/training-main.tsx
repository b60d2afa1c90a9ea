import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import { FeedbackPanel, FeedbackWidget } from '#web/features/feedback/give-feedback.tsx'
import { isStepFinished, type Learned } from '#web/features/learning/learned.ts'
import { LearnedMark } from '#web/features/learning/use-learning.tsx'
import { type ListedStep, StepList } from '#web/features/step/step-list.tsx'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import type { TranscriptVideo } from '#web/features/transcript/transcript-reader.tsx'
import {
  EditableSteps,
  TrainingLearners,
  TrainingProposals,
  TrainingQuestions,
  useOwnedSteps,
} from './owned-panels.tsx'
import { TrainingTranscript } from './training-transcript.tsx'

/** Asks about the steps once all of them are there. Stands right under the list. */
function StepsFeedback({ module, steps }: Pick<TrainingMainProps, 'module' | 'steps'>) {
  const stepCount = steps.data?.steps.length ?? module.steps.length
  if (module.status === 'PROCESSING' || stepCount === 0) return null
  return (
    <FeedbackWidget
      question="Do the steps help?"
      about={{ type: 'step_generation', moduleId: module.id }}
      isAutoHidden
      className="-mt-4 pl-4"
    />
  )
}

interface TrainingMainProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  transcript: UseQueryResult<TranscriptAnswer>
  playhead: Playhead & TranscriptVideo
  currentId: string | null
  learned: Learned
  onJump: (step: ListedStep) => void
}

interface OwnedMainProps extends Omit<TrainingMainProps, 'transcript' | 'learned'> {
  /** Whether a line of the transcript has been changed and not saved. */
  isLineUnsaved: boolean
}

/** What an owner does with a training: its steps, what a new run offers, and what learners asked and watched. */
function OwnedMain({ module, steps, playhead, isLineUnsaved, ...list }: OwnedMainProps) {
  const owned = useOwnedSteps({ module, query: steps, playhead })
  const { editing, saves } = owned
  return (
    <>
      <EditableSteps {...list} {...{ module, playhead, owned }} query={steps} />
      <StepsFeedback module={module} steps={steps} />
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

type ViewedStepsProps = Pick<TrainingMainProps, 'module' | 'steps' | 'learned' | 'currentId' | 'onJump'>

/** The steps as those see them who may follow but not change them. */
function ViewedSteps({ module, steps: query, learned, currentId, onJump }: ViewedStepsProps) {
  const steps = query.data?.steps ?? []
  const isGrowing = module.status === 'PROCESSING'
  useStepHash(steps.length > 0, useLocation().hash)
  return (
    <StepPanel
      query={query}
      count={steps.length}
      isGrowing={isGrowing}
      action={<LearnedMark learned={learned} durationS={module.totalDuration} />}
    >
      <StepList
        steps={steps}
        currentId={currentId}
        onJump={onJump}
        isFinished={(step) => isStepFinished(learned, step)}
      />
    </StepPanel>
  )
}

export function TrainingMain({ transcript, learned, ...props }: TrainingMainProps) {
  const { module, steps, playhead } = props
  const [isLineUnsaved, setIsLineUnsaved] = useState(false)
  return (
    <>
      <TrainingTranscript {...{ module, steps, transcript }} video={playhead} onUnsavedChange={setIsLineUnsaved} />
      {module.role === 'owner' ? (
        <OwnedMain {...props} isLineUnsaved={isLineUnsaved} />
      ) : (
        <>
          <ViewedSteps {...props} learned={learned} />
          <StepsFeedback module={module} steps={steps} />
        </>
      )}
      <FeedbackPanel moduleId={module.id} />
    </>
  )
}
