import type { UseQueryResult } from '@tanstack/react-query'
import type { StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { TranscriptBox } from '#web/features/transcript/transcript-box.tsx'

interface TrainingTranscriptProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  transcript: UseQueryResult<TranscriptAnswer>
}

/** What was said, and whether it was heard well. */
export function TrainingTranscript({ module, steps, transcript }: TrainingTranscriptProps) {
  const isProcessing = module.status === 'PROCESSING'
  const text = transcriptText(steps, transcript)
  return (
    <div className="grid min-w-0 gap-2">
      <TranscriptBox text={text} segments={transcript.data?.segments ?? []} isGrowing={isProcessing} />
      {!isProcessing && text !== '' && (
        <FeedbackWidget
          question="Is the transcript right?"
          about={{ type: 'transcription', moduleId: module.id }}
          isAutoHidden
          className="pl-4"
        />
      )}
    </div>
  )
}

/** Segments come first, because they grow before the steps do; the steps' answer has the text where they are missing. */
function transcriptText(
  steps: { data?: { transcript: string } | undefined; isError: boolean; isLoading: boolean },
  transcript: { data?: { segments: readonly { text: string }[] } | undefined; isError: boolean },
): string | undefined {
  const segments = transcript.data?.segments ?? []
  if (segments.length > 0) return segments.map((segment) => segment.text).join(' ')
  if (steps.data !== undefined) return steps.data.transcript
  if (steps.isLoading) return undefined
  return transcript.data !== undefined || (steps.isError && transcript.isError) ? '' : undefined
}
