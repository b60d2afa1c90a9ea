import { useEffect, useRef, useState } from 'react'
import type { TranscriptSegment, UnfitCorrection } from '#contract/transcript.ts'
import { CorrectableLines, type OpenLine } from './correctable-lines.tsx'
import { OtherPlaces } from './other-places.tsx'
import { findReplacements, type Replacement } from './replacements.ts'
import { type Correction, useCorrectTranscript } from './use-correct-transcript.ts'

/** What an owner's corrections need to know. */
export interface Corrector {
  moduleId: string
  unfit: readonly UnfitCorrection[]
  /** Told that quotes of steps have changed, too. */
  onCorrected: () => void
}

/** Words that were replaced in a line, and are offered to be replaced elsewhere. */
interface Offer {
  correctedId: string
  replacements: readonly Replacement[]
}

interface CorrectionModeProps {
  segments: readonly TranscriptSegment[]
  corrector: Corrector
  open: OpenLine | null
  onOpen: (line: OpenLine | null) => void
  /** Where to begin, 0–1. */
  startShare: number
}

/** The transcript while its owner corrects it. */
export function CorrectionMode({ segments, corrector, open, onOpen, startShare }: CorrectionModeProps) {
  const place = useRef<HTMLDivElement>(null)
  const [offer, setOffer] = useState<Offer | null>(null)
  const correct = useCorrectTranscript(corrector.moduleId, corrector.onCorrected)

  useEffect(() => {
    const box = place.current
    if (box !== null) box.scrollTop = startShare * box.scrollHeight
    // oxlint-disable-next-line react/exhaustive-deps -- only where correcting begins; after that the scrolling is the person's own
  }, [])

  function save(segment: TranscriptSegment, text: string) {
    if (text === segment.text) return onOpen(null)
    const edits = [{ id: segment.id, was: segment.text, text }]
    const replacements = findReplacements(segment.text, text)
    correct.mutate(
      { edits },
      {
        onSuccess: () => {
          onOpen(null)
          setOffer({ correctedId: segment.id, replacements })
        },
      },
    )
  }
  function dismiss(replacement: Replacement) {
    setOffer((now) => now && { ...now, replacements: now.replacements.filter((each) => each !== replacement) })
  }
  return (
    <>
      <div
        ref={place}
        role="group"
        aria-labelledby="transcript-heading"
        className="h-80 overflow-y-auto p-2 text-sm leading-relaxed"
      >
        <CorrectableLines {...{ segments, open }} onOpen={onOpen} isSaving={correct.isPending} onSave={save} />
      </div>
      {offer?.replacements.map((replacement) => (
        <OtherPlaces
          key={replacement.from}
          replacement={replacement}
          correctedId={offer.correctedId}
          segments={segments}
          onCorrect={(correction: Correction) => correct.mutate(correction)}
          onDismiss={() => dismiss(replacement)}
        />
      ))}
    </>
  )
}

/** The line that is said where a correction was, to be opened with the correction's words. */
export function findLineAt(
  segments: readonly TranscriptSegment[],
  { start, end, text }: UnfitCorrection,
): OpenLine | null {
  const middle = (start + end) / 2
  const line = segments.find((segment) => segment.end >= middle) ?? segments.at(-1)
  return line === undefined ? null : { id: line.id, text }
}
