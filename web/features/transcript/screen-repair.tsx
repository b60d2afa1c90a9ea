import { ScanText, Undo2 } from 'lucide-react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { useCorrectTranscript } from './use-correct-transcript.ts'
import type { Corrector } from './use-corrections.ts'

/** Marks a line that a name on the screen has repaired, and takes that back for good. */
export function ScreenRepair({ segment, corrector }: { segment: TranscriptSegment; corrector: Corrector | undefined }) {
  if (segment.beforeScreen === undefined || corrector === undefined) return null
  return <UndoRepair {...{ segment, corrector }} transcribed={segment.beforeScreen} />
}

function UndoRepair(props: { segment: TranscriptSegment; corrector: Corrector; transcribed: string }) {
  const { segment, corrector, transcribed } = props
  const correct = useCorrectTranscript(corrector.moduleId, corrector.onCorrected)
  const name = m.undo_repair_from_screen({ text: transcribed })
  return (
    <Button
      variant="ghost"
      size="small"
      aria-label={name}
      title={name}
      isBusy={correct.isPending}
      className="shrink-0 self-start px-2! text-brand-ink"
      onClick={() => correct.mutate({ edits: [{ id: segment.id, was: segment.text, text: transcribed }] })}
    >
      <ScanText aria-hidden="true" className="size-4" />
      <Undo2 aria-hidden="true" className="size-4" />
    </Button>
  )
}
