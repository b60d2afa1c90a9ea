import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import { FeedbackPanel } from '#web/features/feedback/feedback-panel.tsx'
import type { Learned } from '#web/features/learning/learned.ts'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import type { TranscriptVideo } from '#web/features/transcript/transcript-reader.tsx'
import { OwnedMain } from './owned-main.tsx'
import { StepsFeedback } from './steps-feedback.tsx'
import { TrainingTranscript } from './training-transcript.tsx'
import { ViewedSteps } from './viewed-steps.tsx'

interface TrainingMainProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  stepCount: number
  transcript: UseQueryResult<TranscriptAnswer>
  playhead: Playhead
  video: TranscriptVideo
  currentId: string | null
  learned: Learned
  onJump: (step: ListedStep) => void
}

/** What stands below the video. */
export function TrainingMain({
  module,
  steps,
  stepCount,
  transcript,
  playhead,
  video,
  learned,
  ...list
}: TrainingMainProps) {
  const [isLineUnsaved, setIsLineUnsaved] = useState(false)
  return (
    <>
      <TrainingTranscript {...{ module, steps, transcript, video }} onUnsavedChange={setIsLineUnsaved} />
      {module.role === 'owner' ? (
        <OwnedMain {...list} {...{ module, steps, stepCount, playhead, isLineUnsaved }} />
      ) : (
        <>
          <ViewedSteps {...list} {...{ module, learned }} query={steps} />
          <StepsFeedback module={module} stepCount={stepCount} />
        </>
      )}
      <FeedbackPanel moduleId={module.id} />
    </>
  )
}
