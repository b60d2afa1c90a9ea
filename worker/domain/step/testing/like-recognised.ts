import type { SaidSegment } from '#worker/ports/language-model.ts'

/** As a recogniser writes it that knows neither punctuation nor capitals. */
export function likeRecognised(segments: readonly SaidSegment[]): SaidSegment[] {
  return segments.map((segment) => ({ ...segment, text: segment.text.toLowerCase().replace(/[.,]/g, '') }))
}
