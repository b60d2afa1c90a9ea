import { GLOSSARY_MAX_CHARS } from '#contract/limits.ts'
import { halveChunk } from '#worker/domain/media/read-chunk.ts'
import { AppError } from '#worker/errors.ts'
import { meanConfidence, type SpeechChunk, type SpeechResult, type SpeechToText } from '#worker/ports/speech-to-text.ts'
import { mergeWords } from './merge-words.ts'

/** How a chunk is transcribed. */
interface TranscribeOptions {
  signal: AbortSignal
  /** Fetches the chunk's audio once more, where the recogniser has freed it. */
  reload: () => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Transcribes one chunk. What the recogniser refuses as too large is halved, as often as it takes, and what the halves said
 * is joined; the answer does not show it.
 * @throws {AppError} as the port does; `ai_too_large` only when the chunk is too short to be halved any more
 */
export async function transcribeChunk(
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: TranscribeOptions,
): Promise<SpeechResult> {
  try {
    return await speech.transcribe(chunk, options.signal)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ai_too_large')) throw error
    const halves = await halveChunk({ ...chunk, audio: await options.reload() })
    if (halves === null) throw error
    const result: (SpeechResult & TranscribedSpan)[] = []
    // One after the other: a recogniser that is short of room is not to be asked for more at once.
    for (const { audio, durationMs, ...span } of halves) {
      const half = { ...chunk, audio: audio.slice(), durationMs }
      result.push({ ...span, ...(await transcribeChunk(speech, half, { ...options, reload: async () => audio })) })
    }
    return joinHalves(result, chunk.durationMs)
  }
}

interface TranscribedSpan {
  audioStartMs: number
  startMs: number
  endMs: number
}

function joinHalves(halves: (SpeechResult & TranscribedSpan)[], durationMs: number): SpeechResult {
  const words = mergeWords(halves).map((word) => ({
    ...word,
    // The length of a chunk stands in its index, and that of the halves is measured.
    startMs: Math.min(word.startMs, durationMs),
    endMs: Math.min(word.endMs, durationMs),
  }))
  return { words, language: languageOfMost(halves), confidence: meanConfidence(words) }
}

function languageOfMost(halves: SpeechResult[]): string | null {
  const known = halves.filter(({ language }) => language !== null)
  const [most] = known.toSorted((a, b) => b.words.length - a.words.length)
  return most?.language ?? null
}

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

/** Mean word confidence that separated usable from useless in five recordings (0.60–0.78 against 0.32–0.39). */
const UNDERSTOOD_CONFIDENCE = 0.5
/** About a minute of speech, or two parts of 30 s cut where it is quiet: enough to give up on the rest. */
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

/**
 * Returns the language of a BCP 47 tag as recognisers expect it: `pt-BR` → `pt`. They know no regions and no scripts.
 * @param tag a tag that has been checked
 */
export function spokenLanguage(tag: string): string {
  return new Intl.Locale(tag).language
}

/**
 * A glossary with some more words, each once, in the form that it has: by lines or by commas.
 * @returns null when there is no room for all of them
 */
export function extendGlossary(glossary: string | null, words: readonly string[]): string | null {
  const known = (glossary ?? '')
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const seen = new Set(known.map(fold))
  const added = words
    .map((word) => word.trim())
    .filter((word) => word !== '' && !seen.has(fold(word)) && seen.add(fold(word)))
  if (added.length === 0) return glossary ?? ''
  const separator = glossary?.includes('\n') === true ? '\n' : ', '
  const longer = [...(known.length === 0 ? [] : [(glossary ?? '').trim().replace(/[,;]$/, '')]), ...added].join(
    separator,
  )
  return longer.length > GLOSSARY_MAX_CHARS ? null : longer
}

function fold(word: string): string {
  return word.toLowerCase()
}
