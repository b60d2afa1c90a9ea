import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import { readStartTime } from '#web/features/player/start-time.ts'
import { ShareCard } from '#web/features/share/share-card.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { ModuleFacts } from '#web/features/training/module-facts.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { TwoColumns, VideoPlace } from '#web/features/training/training-layout.tsx'
import { TranscriptBox } from '#web/features/transcript/transcript-box.tsx'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import { useCaptionsUrl } from '#web/features/transcript/use-captions-url.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { EditableSteps } from './editable-steps.tsx'
import { TrainingVideo } from './training-video.tsx'
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
  const startAtS = readStartTime(params) ?? 0
  const transcript = useQuery(transcriptQuery(useApi(), module.id))
  const isProcessing = module.status === 'PROCESSING'
  const captionsUrl = useCaptionsUrl(isProcessing ? undefined : transcript.data?.segments)
  const { player, videoPlace, playhead, currentId, jumpTo, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: steps.data?.steps ?? NO_STEPS,
    startAtS,
  })
  return (
    <TwoColumns
      video={
        <VideoPlace ref={videoPlace}>
          <TrainingVideo
            ref={player}
            module={module}
            startAtS={startAtS}
            captionsUrl={captionsUrl}
            onTimeChange={onTimeChange}
          />
        </VideoPlace>
      }
      status={status}
      main={
        <>
          <TranscriptBox
            text={transcriptText(steps, transcript)}
            segments={transcript.data?.segments ?? []}
            isGrowing={isProcessing}
          />
          {module.role === 'owner' ? (
            <EditableSteps {...{ module, playhead, currentId }} query={steps} onJump={jumpTo} />
          ) : (
            <ViewedSteps query={steps} isGrowing={isProcessing} currentId={currentId} onJump={jumpTo} />
          )}
        </>
      }
      side={
        <>
          <ShareCard shareUrl={module.shareUrl} isShared={module.shared} />
          <ModuleFacts
            module={module}
            stepCount={isProcessing && stepCount === 0 ? undefined : steps.data?.steps.length}
          />
        </>
      }
    />
  )
}

/** Segments come first, because they grow before the steps do; the steps' answer has the text where they are missing. */
function transcriptText(
  steps: { data?: { transcript: string } | undefined; isError: boolean },
  transcript: { data?: { segments: readonly { text: string }[] } | undefined; isError: boolean },
): string | undefined {
  const segments = transcript.data?.segments ?? []
  if (segments.length > 0) return segments.map((segment) => segment.text).join(' ')
  if (steps.data !== undefined) return steps.data.transcript
  return transcript.data !== undefined || (steps.isError && transcript.isError) ? '' : undefined
}
