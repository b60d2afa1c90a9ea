/** The sums over the transcribed chunks. */
export interface TranscribedSums {
  /** Duration of the transcribed chunks, and of those among them that have words. */
  transcribedMs: number
  spokenMs: number
  wordCount: number
  /** Sum of the words' confidences 0–1; a recogniser that reports none is trusted. */
  confidenceSum: number
}

/** The result for the narration as a whole. */
export type Transcription = 'understood' | 'not_understood' | 'no_narration' | 'undecided'

/** Half of the words are right. In five recordings it separated usable from useless (0.60–0.78 against 0.32–0.39). */
const UNDERSTOOD_CONFIDENCE = 0.5
/** About a minute of speech, or the first four chunks, of which one may be silent: enough to give up on the rest. */
const ENOUGH_MS = 55_000
/** Slow narration has 60 words a minute; fewer than this are noises taken for words. */
const NARRATION_WORDS_PER_MINUTE = 3

/**
 * Judges whether the narration can be understood, from the chunks that are transcribed so far, in any order. Chunks
 * without words do not count as speech. Before all chunks are in, it can be `undecided`; with `isComplete` it never is.
 */
export function rateTranscription(sums: TranscribedSums, { isComplete }: { isComplete: boolean }): Transcription {
  const { transcribedMs, spokenMs, wordCount, confidenceSum } = sums
  if (isComplete && (wordCount === 0 || (wordCount / transcribedMs) * 60_000 < NARRATION_WORDS_PER_MINUTE)) {
    return 'no_narration'
  }
  if (!isComplete && spokenMs < ENOUGH_MS) return 'undecided'
  return confidenceSum / wordCount < UNDERSTOOD_CONFIDENCE ? 'not_understood' : 'understood'
}
