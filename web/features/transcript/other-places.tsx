import { X } from 'lucide-react'
import { useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { Button } from '#web/ui/button.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'
import { findOtherPlaces, type Replacement } from './replacements.ts'
import type { Correction } from './use-correct-transcript.ts'

interface OtherPlacesProps {
  replacement: Replacement
  /** Line that was corrected. */
  correctedId: string
  segments: readonly TranscriptSegment[]
  onCorrect: (correction: Correction) => void
  onDismiss: () => void
}

/** After a correction: the same words elsewhere, and the new ones for the next time. */
export function OtherPlaces({ replacement, correctedId, segments, onCorrect, onDismiss }: OtherPlacesProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { from, to } = replacement
  const places = findOtherPlaces(segments, replacement, correctedId)
  function apply(correction: Correction) {
    setIsOpen(false)
    onCorrect(correction)
    onDismiss()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2 text-sm">
      <p role="status" className="min-w-0 flex-1 basis-48">
        {places.length > 0 ? (
          <>
            <span className="font-medium">“{from}”</span> is in{' '}
            {places.length === 1 ? '1 other place' : `${places.length} other places`}.
          </>
        ) : (
          <>
            Shall <span className="font-medium">“{to}”</span> be expected the next time this video is transcribed?
          </>
        )}
      </p>
      <div className="flex items-center gap-1">
        {places.length > 0 ? (
          <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
            Look at {places.length === 1 ? 'it' : 'them'}
          </Button>
        ) : (
          <Button variant="secondary" size="small" onClick={() => apply({ edits: [], glossary: [to] })}>
            Add to glossary
          </Button>
        )}
        <Button
          variant="ghost"
          size="small"
          className="px-2"
          aria-label={`Leave “${from}” as it is`}
          onClick={onDismiss}
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      </div>
      <ReplaceDialog isOpen={isOpen} onOpenChange={setIsOpen} {...{ replacement, places }} onReplace={apply} />
    </div>
  )
}
