import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ModuleVideo } from '#web/features/player/module-video.tsx'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { readStartTime } from '#web/features/player/start-time.ts'
import { ShareCard } from '#web/features/share/share-card.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { useCurrentStep } from '#web/features/step/use-current-step.ts'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { ModuleFacts } from '#web/features/training/module-facts.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { ProgressStrip } from '#web/features/training/progress-strip.tsx'
import { TwoColumns } from '#web/features/training/training-layout.tsx'
import { TranscriptBox } from '#web/features/transcript/transcript-box.tsx'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import { useCaptionsUrl } from '#web/features/transcript/use-captions-url.ts'
import { useApi } from '#web/lib/api-context.tsx'

const NO_STEPS: readonly ListedStep[] = []

/** The training itself: video, transcript and steps, with the link to hand out beside them. */
export function TrainingWorkspace({ module }: { module: LoadedModule }) {
  const callApi = useApi()
  const [params] = useSearchParams()
  const startAtS = readStartTime(params) ?? 0
  const steps = useQuery(stepsQuery(callApi, module.id))
  const transcript = useQuery(transcriptQuery(callApi, module.id))
  const captionsUrl = useCaptionsUrl(module.status === 'READY' ? transcript.data?.segments : undefined)
  const player = useRef<PlayerHandle>(null)
  const videoPlace = useRef<HTMLDivElement>(null)
  const { current, noteTime } = useCurrentStep(steps.data?.steps ?? NO_STEPS, startAtS)
  useStepHash(steps.data !== undefined)

  function jumpTo(step: ListedStep) {
    videoPlace.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    player.current?.seekTo(step.start)
    player.current?.play()
  }

  return (
    <TwoColumns
      main={
        <>
          <div
            ref={videoPlace}
            className="-mx-4 scroll-mt-20 ring-1 ring-line sm:mx-0 sm:rounded-card sm:[--player-radius:var(--radius-card)]"
          >
            <ModuleVideo
              ref={player}
              urlPath={`/api/video-url/module/${encodeURIComponent(module.id)}`}
              title={module.title}
              startAtS={startAtS}
              captionsUrl={captionsUrl}
              onTimeChange={noteTime}
            />
          </div>
          <TranscriptBox text={transcriptText(steps, transcript)} segments={transcript.data?.segments ?? []} />
          {module.status === 'PROCESSING' && <ProgressStrip progress={module.progress} message={module.message} />}
          <StepPanel query={steps} currentId={current?.id ?? null} onJump={jumpTo} />
        </>
      }
      side={
        <>
          <ShareCard shareUrl={module.shareUrl} isShared={module.shared} />
          <ModuleFacts module={module} stepCount={steps.data?.steps.length} />
        </>
      }
    />
  )
}

/** The steps' answer carries the text; when it failed, the transcript's own segments still have it. */
function transcriptText(
  steps: { data?: { transcript: string } | undefined; isError: boolean },
  transcript: { data?: { segments: readonly { text: string }[] } | undefined; isError: boolean },
): string | undefined {
  if (steps.data !== undefined) return steps.data.transcript
  if (transcript.data !== undefined) return transcript.data.segments.map((segment) => segment.text).join(' ')
  return steps.isError && transcript.isError ? '' : undefined
}
