import { type TranscribedWord } from '#worker/ports/speech-to-text.ts'

/** Mean confidence 0–1 over the words of which it is known; null where it is known of none. */
export function meanConfidence(words: readonly Pick<TranscribedWord, 'confidence'>[]): number | null {
  const confidences = words.map((word) => word.confidence).filter((confidence) => confidence !== null)
  return confidences.length === 0 ? null : confidences.reduce((sum, value) => sum + value, 0) / confidences.length
}
