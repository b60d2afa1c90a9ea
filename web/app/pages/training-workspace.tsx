import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import { FeedbackPanel } from '#web/features/feedback/feedback-panel.tsx'
import { readBeginning } from '#web/features/player/kept-position.ts'
import { ShareCard } from '#web/features/share/share-card.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { ModuleFacts } from '#web/features/training/module-facts.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { TwoColumns, VideoPlace } from '#web/features/training/training-layout.tsx'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import type { TranscriptVideo } from '#web/features/transcript/transcript-reader.tsx'
import { useCaptionsUrl } from '#web/features/transcript/use-captions-url.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { EditableSteps } from './editable-steps.tsx'
import { OwnerMenu } from './owner-menu.tsx'
import { ReadyFeedback } from './ready-feedback.tsx'
import { StepsFeedback } from './steps-feedback.tsx'
import { TrainingProposals } from './training-proposals.tsx'
import { TrainingTranscript } from './training-transcript.tsx'
import { TrainingVideo } from './training-video.tsx'
import { useMissingPictures } from './use-missing-pictures.ts'
import { useTrainingVideo } from './use-training-video.ts'
import { ViewedSteps } from './viewed-steps.tsx'

const NO_STEPS: readonly ListedStep[] = []

interface TrainingWorkspaceProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  stepCount: number
  /** What to say of a module that is not ready. */
  status: ReactNode
}

/** The training itself, as far as it exists: video, transcript and steps, with the link to hand out beside them. */
export function TrainingWorkspace({ module, steps, stepCount, status }: TrainingWorkspaceProps) {
  const [params] = useSearchParams()
  const [{ startAtS, isResumed }] = useState(() => readBeginning(module.id, params))
  const transcript = useQuery(transcriptQuery(useApi(), module.id))
  const isProcessing = module.status === 'PROCESSING'
  const captionsUrl = useCaptionsUrl(isProcessing ? undefined : transcript.data?.segments)
  const { player, videoPlace, beginAtS, playhead, currentId, jumpTo, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: steps.data?.steps ?? NO_STEPS,
    startAtS,
  })
  const video = useMemo(
    () => ({ ...playhead, seekTo: (seconds: number) => player.current?.seekTo(seconds) }),
    [playhead, player],
  )
  const notePicture = useMissingPictures(module, player)
  return (
    <TwoColumns
      video={
        <VideoPlace ref={videoPlace}>
          <TrainingVideo
            ref={player}
            module={module}
            steps={steps.data?.steps ?? NO_STEPS}
            startAtS={beginAtS}
            isResumed={isResumed && beginAtS === startAtS}
            keepAs={module.id}
            captionsUrl={captionsUrl}
            captionsLanguage={transcript.data?.language ?? undefined}
            onTimeChange={(seconds) => {
              onTimeChange(seconds)
              notePicture(seconds)
            }}
          />
        </VideoPlace>
      }
      status={
        <>
          {status}
          <ReadyFeedback module={module} />
        </>
      }
      main={<TrainingMain {...{ module, steps, stepCount, transcript, playhead, video, currentId }} onJump={jumpTo} />}
      side={
        <>
          <ShareCard module={module} />
          <ModuleFacts
            module={module}
            stepCount={isProcessing && stepCount === 0 ? undefined : steps.data?.steps.length}
            menu={<OwnerMenu module={module} />}
          />
        </>
      }
    />
  )
}

interface TrainingMainProps extends Pick<TrainingWorkspaceProps, 'module' | 'steps' | 'stepCount'> {
  transcript: UseQueryResult<TranscriptAnswer>
  playhead: Playhead
  video: TranscriptVideo
  currentId: string | null
  onJump: (step: ListedStep) => void
}

/** What stands below the video. */
function TrainingMain({ module, steps, stepCount, transcript, playhead, video, currentId, onJump }: TrainingMainProps) {
  const isProcessing = module.status === 'PROCESSING'
  return (
    <>
      <TrainingTranscript {...{ module, steps, transcript, video }} />
      {module.role === 'owner' ? (
        <EditableSteps {...{ module, playhead, currentId, onJump }} query={steps} />
      ) : (
        <ViewedSteps query={steps} isGrowing={isProcessing} currentId={currentId} onJump={onJump} />
      )}
      <StepsFeedback module={module} stepCount={stepCount} />
      <TrainingProposals module={module} steps={steps.data?.steps} />
      <FeedbackPanel moduleId={module.id} />
    </>
  )
}
