import { useEffect, useRef } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { CorrectableLines } from './correctable-lines.tsx'
import { OtherPlaces } from './other-places.tsx'
import { type Correction, useCorrectTranscript } from './use-correct-transcript.ts'
import type { Corrections } from './use-corrections.ts'

interface CorrectionModeProps {
  segments: readonly TranscriptSegment[]
  corrections: Corrections
  /** Where to begin, 0–1. */
  startShare: number
}

/** The transcript while its owner corrects it. */
export function CorrectionMode({ segments, corrections, startShare }: CorrectionModeProps) {
  const place = useRef<HTMLDivElement>(null)
  const { offer, corrector, dismiss } = corrections
  const replace = useCorrectTranscript(corrector.moduleId, corrector.onCorrected)

  useEffect(() => {
    const box = place.current
    if (box !== null) box.scrollTop = startShare * box.scrollHeight
    // oxlint-disable-next-line react/exhaustive-deps -- only where correcting begins; after that the scrolling is the person's own
  }, [])

  return (
    <>
      <div
        ref={place}
        role="group"
        aria-labelledby="transcript-heading"
        className="h-80 overflow-y-auto p-2 text-sm leading-relaxed"
      >
        <CorrectableLines segments={segments} corrections={corrections} />
      </div>
      {offer?.replacements.map((replacement) => (
        <OtherPlaces
          key={replacement.from}
          replacement={replacement}
          correctedId={offer.correctedId}
          segments={segments}
          onCorrect={(correction: Correction) => replace.mutate(correction)}
          onDismiss={() => dismiss(replacement)}
        />
      ))}
    </>
  )
}
