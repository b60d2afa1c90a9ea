import type { HeardWord } from '#worker/ports/speech-to-text.ts'

/** What became of one part of the audio. */
export interface JudgedPart {
  words: HeardWord[]
  /** Mean confidence 0–1 over its words; null when the recogniser does not tell, which is trusted. */
  confidence: number | null
  durationMs: number
}

/** What the heard parts say about the narration as a whole. */
export type Hearing = 'understood' | 'not_understood' | 'no_narration' | 'undecided'

/** Mean word confidence that separated usable from useless in five recordings (0.60–0.78 against 0.32–0.39). */
const UNDERSTOOD_CONFIDENCE = 0.5
/** About a minute of speech, or two parts of 30 s cut where it is quiet: enough to give up on the rest. */
const ENOUGH_MS = 55_000
/** Slow narration has 60 words a minute; fewer than this are noises taken for words. */
const NARRATION_WORDS_PER_MINUTE = 3

function meanConfidence(parts: JudgedPart[]): number {
  const wordCount = parts.reduce((sum, part) => sum + part.words.length, 0)
  const sum = parts.reduce((total, part) => total + (part.confidence ?? 1) * part.words.length, 0)
  return wordCount === 0 ? 1 : sum / wordCount
}

/**
 * Judges whether the narration can be understood, from the parts heard so far, in any order. Parts without words
 * do not count as heard speech. Before all parts are in, it can be `undecided`; with `isComplete` it never is.
 */
export function judgeHearing(parts: JudgedPart[], { isComplete }: { isComplete: boolean }): Hearing {
  const spoken = parts.filter((part) => part.words.length > 0)
  const heardMs = parts.reduce((sum, part) => sum + part.durationMs, 0)
  const spokenMs = spoken.reduce((sum, part) => sum + part.durationMs, 0)
  const wordCount = spoken.reduce((sum, part) => sum + part.words.length, 0)
  if (isComplete && (wordCount === 0 || (wordCount / heardMs) * 60_000 < NARRATION_WORDS_PER_MINUTE)) {
    return 'no_narration'
  }
  if (!isComplete && spokenMs < ENOUGH_MS) return 'undecided'
  return meanConfidence(spoken) < UNDERSTOOD_CONFIDENCE ? 'not_understood' : 'understood'
}
