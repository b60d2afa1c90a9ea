import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { seesDraft } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { FeedbackPanel } from '#web/features/feedback/feedback-panel.tsx'
import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import { LearnedMark, type Learning } from '#web/features/learning/use-learning.tsx'
import { ScreenSettings } from '#web/features/screen/screen-settings.tsx'
import { ShareCard } from '#web/features/share/share-card.tsx'
import { type ListedStep, StepList } from '#web/features/step/step-list.tsx'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { ModuleFacts } from '#web/features/training/module-facts.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { showAtTop } from '#web/lib/scroll-box.ts'
import type { Reporting } from '../report/reporting.tsx'
import { renderShareWarnings } from '../shared/share-warnings.tsx'
import { ModuleCaptions, takesCaptions } from './failed-training.tsx'
import { EditableSteps, findPlace, type OwnedSteps } from './owned-panels.tsx'
import { TranscriptRating } from './training-transcript.tsx'

interface TrainingPartProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
}

interface StepsRatingProps extends TrainingPartProps {
  question: string
  isAutoHidden?: boolean
  look?: 'words' | 'row'
  className?: string
}

/** Asks about the steps once all of them are there. */
function StepsRating({ module, steps, ...look }: StepsRatingProps) {
  const stepCount = steps.data?.steps.length ?? module.steps.length
  if (module.status === 'PROCESSING' || stepCount === 0) return null
  return <FeedbackWidget about={{ type: 'step_generation', moduleId: module.id }} {...look} />
}

interface TrainingStepsProps extends TrainingPartProps {
  owned: OwnedSteps
  playhead: Playhead
  learning: Learning
  currentId: string | null
  onJump: (step: ListedStep) => void
  /** The way to one step at a time. */
  followAlong: ReactNode
  reporting: Reporting | null
}

/** The steps: who edits them changes them where they stand. */
export function TrainingSteps({ module, steps, owned, playhead, learning, reporting, ...list }: TrainingStepsProps) {
  return seesDraft(module.role) ? (
    <EditableSteps {...list} {...{ module, playhead, owned }} query={steps} />
  ) : (
    <ViewedSteps {...list} {...{ module, steps, learning, reporting }} />
  )
}

type ViewedStepsProps = Omit<TrainingStepsProps, 'owned' | 'playhead'>

/** The steps as those see them who may follow but not change them. */
function ViewedSteps({ module, steps: query, learning, reporting, ...list }: ViewedStepsProps) {
  const { currentId, onJump, followAlong } = list
  const steps = query.data?.steps ?? []
  const cuts = query.data?.meta.cuts ?? []
  const isGrowing = module.status === 'PROCESSING'
  useStepHash(steps.length > 0, useLocation().hash, { show: showAtTop })
  return (
    <StepPanel
      query={query}
      count={steps.length}
      isGrowing={isGrowing}
      current={findPlace(steps, currentId)}
      action={
        <div className="flex items-center gap-3">
          <LearnedMark learned={learning.learned} percent={learning.percentOf(module.totalDuration, cuts)} />
          {followAlong}
        </div>
      }
      after={
        <StepsRating
          {...{ module }}
          steps={query}
          question={m.do_the_steps_help()}
          isAutoHidden
          className="ps-4 lg:ps-1"
        />
      }
    >
      {(follow) => (
        <StepList
          steps={steps}
          posterUrl={module.posterUrl}
          currentId={currentId}
          onJump={(step) => {
            follow()
            onJump(step)
          }}
          isFinished={(step) => learning.isFinished(step, cuts)}
          reporting={reporting?.show}
        />
      )}
    </StepPanel>
  )
}

interface TrainingFeedbackProps extends TrainingPartProps {
  transcript: UseQueryResult<TranscriptAnswer>
}

/** Learners say what could be better in a training; its owner, what the AI could do better. */
export function TrainingFeedback({ module, steps, transcript }: TrainingFeedbackProps) {
  if (module.role !== 'owner') {
    return <FeedbackPanel moduleId={module.id} question={m.what_could_be_better_in()} />
  }
  return (
    <FeedbackPanel moduleId={module.id} question={m.what_should_the_ai_have()}>
      <div className="mt-1 mb-4 border-b border-line pb-3">
        <p className="mb-1 text-sm text-ink-soft">{m.rate_what_the_ai_made()}</p>
        <TranscriptRating {...{ module, steps, transcript }} look="row" />
        <StepsRating {...{ module, steps }} question={m.are_the_steps_right()} look="row" />
      </div>
    </FeedbackPanel>
  )
}

/** The link to hand out, what is known of the module, and how its video is transcribed. */
export function TrainingSettings({ module, steps, onSeek }: TrainingPartProps & { onSeek: (seconds: number) => void }) {
  const stepCount = steps.data?.steps.length
  // None yet of more to come.
  const isUnknown = module.status === 'PROCESSING' && stepCount === 0
  return (
    <div className="@container">
      <div className="grid grid-cols-1 items-start gap-6 @3xl:grid-cols-2">
        {module.role !== 'editor' && <ShareCard module={module} renderWarnings={renderShareWarnings} />}
        <ModuleFacts
          module={module}
          stepCount={isUnknown ? undefined : stepCount}
          captions={
            takesCaptions(module) && (
              <ModuleCaptions
                module={module}
                look={{
                  variant: 'secondary',
                  size: 'small',
                  label: module.transcriptSource === 'captions' ? m.replace_captions() : m.add_captions(),
                }}
              />
            )
          }
        />
        <ScreenSettings {...{ module, onSeek }} />
      </div>
    </div>
  )
}
