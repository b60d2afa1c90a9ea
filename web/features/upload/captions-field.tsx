import { Captions, X } from 'lucide-react'
import { captionTypeOf } from '#web/lib/caption-type.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FileButton } from './file-button.tsx'

const EMPTY_TEXT = 'A .vtt or .srt file. Without one, Adapt listens to the narration.'
const ATTACHED_TEXT = { waiting: 'Goes with the video that you select.', sending: 'Goes with this video.' }

interface CaptionsFieldProps {
  captions: File | null
  onChange: (captions: File | null) => void
  onReject: (file: File) => void
  isDisabled: boolean
}

/** Captions that go along with the video instead of recognising its speech. */
export function CaptionsField({ captions, onChange, onReject, isDisabled }: CaptionsFieldProps) {
  function choose(files: File[]) {
    const file = files[0]
    if (!file) return
    if (captionTypeOf(file)) onChange(file)
    else onReject(file)
  }
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:px-5">
      <Captions aria-hidden="true" className="size-6 shrink-0 text-ink-faint" strokeWidth={1.75} />
      <div className="min-w-48 flex-1">
        <p className="text-sm font-medium">{captions ? captions.name : 'Captions (optional)'}</p>
        <p className="text-sm text-ink-soft">
          {captions ? ATTACHED_TEXT[isDisabled ? 'sending' : 'waiting'] : EMPTY_TEXT}
        </p>
      </div>
      {captions ? (
        <Button variant="secondary" disabled={isDisabled} onClick={() => onChange(null)}>
          <X aria-hidden="true" className="size-4" />
          Remove captions
        </Button>
      ) : (
        <FileButton accept=".vtt,.srt,text/vtt,application/x-subrip" onFiles={choose} isDisabled={isDisabled}>
          Add captions
        </FileButton>
      )}
    </Card>
  )
}
