import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import { FeedbackPanel } from '#web/features/feedback/feedback-panel.tsx'
import { ModuleVideo } from '#web/features/player/module-video.tsx'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { readStartTime } from '#web/features/player/start-time.ts'
import { ShareCard } from '#web/features/share/share-card.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useCurrentStep } from '#web/features/step/use-current-step.ts'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { ModuleFacts } from '#web/features/training/module-facts.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { TwoColumns, VideoPlace } from '#web/features/training/training-layout.tsx'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import { useCaptionsUrl } from '#web/features/transcript/use-captions-url.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { AwaitedUpload } from './awaited-upload.tsx'
import { ReadyFeedback } from './ready-feedback.tsx'
import { StepsFeedback } from './steps-feedback.tsx'
import { TrainingTranscript } from './training-transcript.tsx'
import { useMissingPictures } from './use-missing-pictures.ts'

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
  const startAtS = readStartTime(params) ?? 0
  const transcript = useQuery(transcriptQuery(useApi(), module.id))
  const isProcessing = module.status === 'PROCESSING'
  const captionsUrl = useCaptionsUrl(isProcessing ? undefined : transcript.data?.segments)
  const player = useRef<PlayerHandle>(null)
  const videoPlace = useRef<HTMLDivElement>(null)
  const { current, noteTime } = useCurrentStep(steps.data?.steps ?? NO_STEPS, startAtS)
  const notePicture = useMissingPictures(module, player)
  useStepHash(steps.data !== undefined && stepCount > 0, useLocation().hash)

  function jumpTo(step: ListedStep) {
    videoPlace.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    player.current?.seekTo(step.start)
    player.current?.play()
  }
  const video = module.hasVideo ? (
    <ModuleVideo
      ref={player}
      urlPath={`/api/video-url/module/${encodeURIComponent(module.id)}`}
      title={module.title}
      startAtS={startAtS}
      captionsUrl={captionsUrl}
      poster={module.posterUrl ?? undefined}
      onTimeChange={(seconds) => {
        noteTime(seconds)
        notePicture(seconds)
      }}
    />
  ) : (
    <AwaitedUpload moduleId={module.id} uploadPercent={module.uploadPercent} />
  )
  return (
    <TwoColumns
      video={<VideoPlace ref={videoPlace}>{video}</VideoPlace>}
      status={
        <>
          {status}
          <ReadyFeedback module={module} />
        </>
      }
      main={
        <>
          <TrainingTranscript module={module} steps={steps} transcript={transcript} />
          {(!isProcessing || stepCount > 0) && (
            <StepPanel query={steps} isGrowing={isProcessing} currentId={current?.id ?? null} onJump={jumpTo} />
          )}
          <StepsFeedback module={module} stepCount={stepCount} />
          <FeedbackPanel moduleId={module.id} />
        </>
      }
      side={
        <>
          <ShareCard module={module} />
          <ModuleFacts
            module={module}
            stepCount={isProcessing && stepCount === 0 ? undefined : steps.data?.steps.length}
          />
        </>
      }
    />
  )
}
