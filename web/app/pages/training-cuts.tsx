import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { VideoUrlAnswer } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { CopyWithoutCuts } from '#web/features/upload/small-copy/copy-without-cuts.tsx'
import { useApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { type LoadedModule, moduleKey } from '#web/lib/module-cache.ts'
import { replaceQueryData } from '#web/lib/query-client.ts'
import { openVideo } from '#web/lib/step-images.ts'
import { LatePart } from '../shared/late-part.tsx'

const CutsPanel = lazyPart(async () => (await import('#web/features/cuts/cuts-panel.tsx')).CutsPanel)

interface TrainingCutsProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  transcript: UseQueryResult<TranscriptAnswer>
  playhead: Playhead
  /** Plays without these ranges; null: as it is stored. */
  onPreview: (cuts: Cuts | null) => void
}

/** What is left out of the video, and what could be; for owners, once all of it is there. */
export function TrainingCuts({ module, steps, transcript, playhead, onPreview }: TrainingCutsProps) {
  const { id, role, status, hasVideo, totalDuration } = module
  const callApi = useApi()
  const queryClient = useQueryClient()
  const stepsKey = stepsQuery(callApi, id).queryKey
  if (role !== 'owner' || status !== 'READY' || !hasVideo || totalDuration === null) return null
  if (steps.data === undefined || transcript.data === undefined) return null
  async function openFrames(signal: AbortSignal) {
    const path = `/api/video-url/module/${encodeURIComponent(id)}`
    const cachedUrl = queryClient.getQueryData<string>(['video-url', path])
    return openVideo(cachedUrl ?? (await callApi({ path, schema: VideoUrlAnswer, signal })).url, signal)
  }
  return (
    <LatePart what={m.left_out_of_the_video()} skeleton={null}>
      <CutsPanel
        moduleId={id}
        durationS={totalDuration}
        answer={steps.data}
        lines={transcript.data.segments}
        readTimeS={playhead.readTimeS}
        openFrames={openFrames}
        onPreview={(cuts, range) => {
          onPreview(cuts)
          if (range !== undefined) playhead.preview(range.start, range.end)
        }}
        onSteps={(answer) => {
          void replaceQueryData(queryClient, stepsKey, () => answer)
          void queryClient.invalidateQueries({ queryKey: moduleKey(id) })
        }}
        onStale={() => void queryClient.invalidateQueries({ queryKey: stepsKey })}
      >
        <CopyWithoutCuts
          module={module}
          cuts={steps.data.meta.cuts}
          onMade={() => void queryClient.invalidateQueries({ queryKey: moduleKey(id) })}
        />
      </CutsPanel>
    </LatePart>
  )
}
