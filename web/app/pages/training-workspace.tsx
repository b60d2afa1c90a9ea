import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import { useRecordOpened } from '#web/features/module/opened-query.ts'
import { readBeginning } from '#web/features/player/kept-position.ts'
import type { PageKeys } from '#web/features/player/player-handle.ts'
import { ShareCard } from '#web/features/share/share-card.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { ModuleFacts } from '#web/features/training/module-facts.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { TwoColumns, VideoPlace } from '#web/features/training/training-layout.tsx'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import { useCaptionsUrl } from '#web/features/transcript/use-captions-url.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { OwnerMenu } from './owner-menu.tsx'
import { ReadyFeedback } from './ready-feedback.tsx'
import { TrainingMain } from './training-main.tsx'
import { TrainingTutor } from './training-tutor.tsx'
import { TrainingVideo } from './training-video.tsx'
import { useMissingImages } from './use-missing-images.ts'
import { useTrainingLearning } from './use-training-learning.ts'
import { useTrainingVideo } from './use-training-video.ts'

const NO_STEPS: readonly ListedStep[] = []

const TRANSCRIPT_KEYS: PageKeys = [['/', 'Search the transcript']]

interface TrainingWorkspaceProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  stepCount: number
  /** What to say of a module that is not ready. */
  status: ReactNode
}

/** The training itself, as far as it exists: video, transcript, steps and the link to hand out, with the tutor beside them. */
export function TrainingWorkspace({ module, steps, stepCount, status }: TrainingWorkspaceProps) {
  const [params] = useSearchParams()
  const [{ startAtS, isResumed }] = useState(() => readBeginning(module.id, params))
  const transcript = useQuery(transcriptQuery(useApi(), module.id))
  const isProcessing = module.status === 'PROCESSING'
  const captionsUrl = useCaptionsUrl(isProcessing ? undefined : transcript.data?.segments)
  const { player, videoPlace, beginAtS, playhead, currentId, jumpTo, jumpToTime, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: steps.data?.steps ?? NO_STEPS,
    startAtS,
  })
  const { learned, onPlayback } = useTrainingLearning(module)
  useRecordOpened(module)
  const video = useMemo(
    () => ({ ...playhead, seekTo: (seconds: number) => player.current?.seekTo(seconds) }),
    [playhead, player],
  )
  const noteImage = useMissingImages(module, player)
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
            pageKeys={transcript.data?.segments.length ? TRANSCRIPT_KEYS : undefined}
            captionsLanguage={transcript.data?.language ?? undefined}
            onPlayback={onPlayback}
            onTimeChange={(seconds) => {
              onTimeChange(seconds)
              noteImage(seconds)
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
      main={
        <>
          <TrainingMain
            {...{ module, steps, stepCount, transcript, playhead, video, currentId, learned }}
            onJump={jumpTo}
          />
          <TrainingSide module={module} stepCount={steps.data?.steps.length} />
        </>
      }
      company={<TrainingTutor {...{ module, steps, transcript, player, currentId }} onJump={jumpToTime} />}
    />
  )
}

interface TrainingSideProps {
  module: LoadedModule
  /** Undefined while the steps load. */
  stepCount: number | undefined
}

/** What belongs to the training: its link, and what is known of it. */
function TrainingSide({ module, stepCount }: TrainingSideProps) {
  // None yet of more to come.
  const isUnknown = module.status === 'PROCESSING' && stepCount === 0
  return (
    <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-2">
      <ShareCard module={module} />
      <ModuleFacts module={module} stepCount={isUnknown ? undefined : stepCount} menu={<OwnerMenu module={module} />} />
    </div>
  )
}
