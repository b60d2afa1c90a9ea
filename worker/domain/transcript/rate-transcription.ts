import type { FormedSegment } from '#worker/db/schema.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { joinStretches, type Span } from './speech-stretches.ts'

/** The sums over the transcribed chunks. */
export interface TranscribedSums {
  transcribedMs: number
  wordCount: number
  /** Sum of the words' confidences 0–1; a recogniser that reports none is trusted. */
  confidenceSum: number
}

/** The result for the narration as a whole. */
export type Transcription = 'understood' | 'not_understood' | 'no_narration'

/** Half of the words are right. In five recordings it separated usable from useless (0.60–0.78 against 0.32–0.39). */
const UNDERSTOOD_CONFIDENCE = 0.5
/** Slow narration has 60 words a minute; fewer than this are noises taken for words. */
const NARRATION_WORDS_PER_MINUTE = 3
/** Understood speech without a long pause that is enough for a training, whatever the rest of the recording is. */
const USABLE_MS = 10_000
/** Words this near to a sentence show whether it is speech or noise: together with it, those of about one chunk. */
const AROUND_MS = 10_000

/** Judges the narration as a whole, from all chunks. Chunks without words do not count as speech. */
export function rateTranscription({ transcribedMs, wordCount, confidenceSum }: TranscribedSums): Transcription {
  if (wordCount === 0 || (wordCount / transcribedMs) * 60_000 < NARRATION_WORDS_PER_MINUTE) return 'no_narration'
  return confidenceSum / wordCount < UNDERSTOOD_CONFIDENCE ? 'not_understood' : 'understood'
}

/** Whether one part of a recording is enough for a training, although the recording as a whole is not understood. */
export function hasUsablePart(segments: readonly FormedSegment[]): boolean {
  return joinStretches(segments).some(({ spokenMs }) => spokenMs >= USABLE_MS)
}

/**
 * Whether a sentence is understood. One that is not by itself still is where the speech before and after it is; a few
 * lucky words in noise are not.
 * @param words of the sentence and around it, in order
 */
export function isUnderstood({ startMs, endMs }: Span, words: readonly TranscribedWord[]): boolean {
  const isBetween = (fromMs: number, toMs: number) =>
    isConfident(words.filter((word) => word.startMs >= fromMs && word.startMs < toMs))
  if (!isBetween(startMs - AROUND_MS, endMs + AROUND_MS)) return false
  return isBetween(startMs, endMs) || (isBetween(startMs - AROUND_MS, startMs) && isBetween(endMs, endMs + AROUND_MS))
}

function isConfident(words: readonly TranscribedWord[]): boolean {
  const sum = words.reduce((total, { confidence }) => total + (confidence ?? 1), 0)
  return sum >= words.length * UNDERSTOOD_CONFIDENCE
}
