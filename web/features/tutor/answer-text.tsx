import { useMemo } from 'react'
import type { AnswerMeta } from '#contract/tutor.ts'
import { MomentChip } from './moment-chip.tsx'
import { type AnswerPiece, placeMoments } from './place-moments.ts'

interface AnswerTextProps {
  text: string
  meta: AnswerMeta | null
  /** Where the steps of the video begin, in seconds. */
  stepStarts: readonly number[]
  onPlay: (seconds: number) => void
}

const NO_CITATIONS: AnswerMeta['citations'] = []

/** An answer as plain text, its moments beside their sentences. Whatever is in the text is shown as it stands. */
export function AnswerText({ text, meta, stepStarts, onPlay }: AnswerTextProps) {
  const citations = meta?.citations ?? NO_CITATIONS
  const pieces = useMemo(() => placeMoments(text, { citations, starts: stepStarts }), [text, citations, stepStarts])
  const step = meta?.step ?? null
  const isStepNamed = step !== null && pieces.some((piece) => piece.kind === 'moment' && piece.start === step.start)
  const isStepShown = step !== null && !isStepNamed && citations.length === 0
  return (
    <>
      <p className="whitespace-pre-line wrap-anywhere">
        {keyPieces(pieces).map(([key, piece]) =>
          piece.kind === 'text' ? (
            <span key={key}>{piece.text}</span>
          ) : (
            <MomentChip key={key} start={piece.start} onPlay={onPlay} />
          ),
        )}
      </p>
      {isStepShown && (
        <p className="mt-2">
          <MomentChip start={step.start} title={step.title} onPlay={onPlay} />
        </p>
      )}
    </>
  )
}

/** Each piece by the place where it begins. */
function keyPieces(pieces: readonly AnswerPiece[]): [string, AnswerPiece][] {
  let at = 0
  return pieces.map((piece) => {
    if (piece.kind === 'moment') return [`${at}@${piece.start}`, piece]
    at += piece.text.length
    return [String(at), piece]
  })
}
