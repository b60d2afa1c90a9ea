import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { StepsAnswer } from '#contract/step.ts'
import { unite } from '#contract/time/time-ranges.ts'
import type { TranscriptAnswer, TranscriptSegment, VideoPart } from '#contract/transcript.ts'
import * as m from '#messages'
import { useSaveCuts } from '#web/features/cuts/use-save-cuts.ts'
import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import { usePlayerSettings } from '#web/features/player/player-settings.ts'
import { ScreenMatches } from '#web/features/screen/screen-matches.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { TranscriptionSettingsButton } from '#web/features/training/module-facts.tsx'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { TranscriptBox } from '#web/features/transcript/transcript-box.tsx'
import type { TranscriptVideo } from '#web/features/transcript/transcript-reader.tsx'
import { useApi } from '#web/lib/api.ts'
import { replaceQueryData } from '#web/lib/query-client.ts'
import { Card } from '#web/ui/card.tsx'
import { ModuleCaptions, takesCaptions } from './failed-training.tsx'
import { WithoutSpeechNote } from './without-speech-note.tsx'

const NO_SEGMENTS: readonly TranscriptSegment[] = []

interface LoadedParts {
  steps: UseQueryResult<StepsAnswer>
  transcript: UseQueryResult<TranscriptAnswer>
}

interface TrainingTranscriptProps extends LoadedParts {
  module: LoadedModule
  video: TranscriptVideo
  /** Called with whether a typed correction is not saved yet. */
  onUnsavedChange: (isUnsaved: boolean) => void
}

export function TrainingTranscript({ module, steps, transcript, video, onUnsavedChange }: TrainingTranscriptProps) {
  const isProcessing = module.status === 'PROCESSING'
  const { hasKeys } = usePlayerSettings()
  const text = transcriptText({ steps, transcript })
  const hasFailed = transcript.isLoadingError
  const corrector = useCorrector(module, transcript.data)
  const cutting = useCutting(module, steps.data)
  useTranscriptInStep(module, { steps, transcript })
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {transcript.data?.isRough && <RoughNote module={module} />}
      <WithoutSpeechNote module={module} parts={listWithoutSteps(transcript.data, steps.data)} />
      <TranscriptBox
        title={module.title}
        hasKeys={hasKeys}
        text={text}
        video={module.hasVideo ? video : undefined}
        segments={transcript.data?.segments ?? NO_SEGMENTS}
        failure={hasFailed ? { isBusy: transcript.isFetching, onRetry: () => transcript.refetch() } : undefined}
        isGrowing={isProcessing}
        renderOthers={
          module.role === 'owner'
            ? (words, onSeek) => <ScreenMatches moduleId={module.id} {...{ words, onSeek }} />
            : undefined
        }
        cutting={cutting}
        corrector={corrector && { ...corrector, onUnsavedChange }}
      />
      {module.role === 'viewer' && (
        <TranscriptRating {...{ module, steps, transcript }} isAutoHidden className="ps-4" />
      )}
    </div>
  )
}

/** For owners of a training that is ready. */
function useCutting({ id, role, status }: LoadedModule, answer: StepsAnswer | undefined) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = stepsQuery(callApi, id)
  const save = useSaveCuts({
    moduleId: id,
    answer,
    onSteps: (after) => void replaceQueryData(queryClient, queryKey, () => after),
    onStale: () => void queryClient.invalidateQueries({ queryKey }),
  })
  if (role !== 'owner' || status !== 'READY' || answer === undefined) return undefined
  const { cuts } = answer.meta
  return { cuts, onLeaveOut: (start: number, end: number) => save.mutate(unite(cuts, [[start, end]])) }
}

/** Parts without speech that no person has written steps for meanwhile. */
function listWithoutSteps(transcript: TranscriptAnswer | undefined, answer: StepsAnswer | undefined): VideoPart[] {
  const { withoutSpeech = [] } = transcript ?? {}
  const { steps = [] } = answer ?? {}
  return withoutSpeech.filter((part) => !steps.some(({ start }) => start >= part.start && start < part.end))
}

/** Says that many words may be wrong, and to the owner what helps. */
function RoughNote({ module }: { module: LoadedModule }) {
  if (module.role === 'viewer' && module.status !== 'PROCESSING') {
    return <p className="px-4 text-sm text-ink-soft">{m.speech_recognition_was_unsure_here()}</p>
  }
  if (!takesCaptions(module)) return null
  return (
    <Card className="px-4 py-3">
      <section aria-labelledby="rough-heading">
        <h3 id="rough-heading" className="text-sm font-semibold">
          {m.this_transcript_is_rough()}
        </h3>
        <p className="mt-1 mb-3 text-sm text-ink-soft">{m.many_words_may_be_wrong()}</p>
        <ModuleCaptions module={module} look={{ variant: 'secondary', size: 'small' }}>
          <TranscriptionSettingsButton module={module} />
        </ModuleCaptions>
      </section>
    </Card>
  )
}

interface TranscriptRatingProps extends LoadedParts {
  module: LoadedModule
  isAutoHidden?: boolean
  look?: 'words' | 'row'
  className?: string
}

/** Asks about the transcript once it is known whether there is one. */
export function TranscriptRating({ module, steps, transcript, ...look }: TranscriptRatingProps) {
  const text = transcriptText({ steps, transcript })
  const isKnown = transcript.isLoadingError ? text !== undefined : text !== ''
  if (module.status === 'PROCESSING' || !isKnown) return null
  return (
    <FeedbackWidget
      question={m.is_the_transcript_right()}
      about={{ type: 'transcription', moduleId: module.id }}
      {...look}
    />
  )
}

/** For owners; viewers only read. */
function useCorrector(module: LoadedModule, transcript: TranscriptAnswer | undefined) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  if (module.role !== 'owner') return undefined
  return {
    moduleId: module.id,
    orphaned: transcript?.orphaned ?? [],
    // The quotes of the steps follow, and the version that comes with them.
    onCorrected: () => {
      for (const query of [moduleQuery(callApi, module.id), stepsQuery(callApi, module.id)]) {
        void queryClient.invalidateQueries({ queryKey: query.queryKey })
      }
    },
  }
}

/**
 * Loads the transcript again when another person has corrected it. The version of the steps moves with a correction,
 * and their answer has the text; a transcript that was loaded later is not compared.
 */
function useTranscriptInStep(module: LoadedModule, { steps, transcript }: LoadedParts): void {
  const { data, dataUpdatedAt, refetch } = transcript
  const isOlder = steps.dataUpdatedAt > dataUpdatedAt && module.status !== 'PROCESSING'
  const text = steps.data?.transcript
  const isStale = isOlder && data !== undefined && text !== undefined && text !== joinLines(data.segments)
  useEffect(() => {
    if (isStale) void refetch()
  }, [isStale, refetch])
}

function joinLines(segments: readonly { text: string }[]): string {
  return segments.map((segment) => segment.text).join(' ')
}

/**
 * Segments come first, because they grow before the steps do; the steps' answer has the text where they are missing.
 * Undefined until both have loaded: only a transcript that was read can be known to be empty.
 */
function transcriptText({ steps, transcript: { data } }: LoadedParts): string | undefined {
  if (data !== undefined && data.segments.length > 0) return joinLines(data.segments)
  if (steps.data?.transcript) return steps.data.transcript
  return data === undefined || steps.isLoading ? undefined : ''
}
