import type { SpeechPreparation } from '#contract/debug.ts'

/** One section of audio, in a container that the recogniser can open. */
export interface SpeechChunk {
  /** Given away: an engine may free it as soon as it has it in a form of its own. */
  audio: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
  /** Length of the audio in this chunk. */
  durationMs: number
  /** ISO 639-1, or null to let the recogniser decide. */
  language: string | null
  /** Names and product words to expect; null when there are none. */
  prompt: string | null
  /** Whether a person waits for the words; false by default. */
  isAwaited?: boolean
  /** Names the video that it belongs to: where chunks wait, those of different videos are taken in turn. */
  turn?: string
}

/**
 * Containers that a chunk can come in: what videos are cut into, what browsers record spoken questions in, and ADTS
 * (`audio/aac`), for recognisers that do not read AAC in an M4A.
 */
export type AudioContentType = 'audio/mp4' | 'audio/aac' | 'audio/ogg' | 'audio/mpeg' | 'audio/wav' | 'audio/webm'

/**
 * A word with its time: relative to the beginning of the chunk (`0 ≤ startMs ≤ endMs ≤ durationMs`, starts ascending),
 * or to that of the video once chunks are merged.
 */
export interface TranscribedWord {
  text: string
  startMs: number
  endMs: number
  /**
   * 0–1: the share of words with this figure that are right, of whatever recogniser (docs/decisions/confidence-of-words.md).
   * Null when it reports none. A mean under 0.5: not understood.
   */
  confidence: number | null
}

/** The words that were transcribed from one chunk. No words means that it has no speech. */
export interface SpeechResult {
  words: TranscribedWord[]
  /** ISO 639-1; null when unknown. */
  language: string | null
  /** The recogniser repeated itself over and over, which was left out: something else was said there. Left out where not. */
  isLooped?: true
  /**
   * Whether any word came with a blank before it, by which a word differs from a part of one. Left out where the
   * engine gave no words of its own, or none that was said.
   */
  hasBlanks?: boolean
}

/** Turns speech into words with times. */
export interface SpeechToText {
  /** For logs: engine and model. */
  readonly name: string
  /** Finds how far it is prepared; null when it is ready. Left out by those that always are. */
  findPreparation?(signal: AbortSignal): Promise<SpeechPreparation | null>
  /**
   * Transcribes one chunk. Normalises whatever the engine answers: words are in order, inside the chunk, without NaN.
   * @throws {AppError} `ai_busy` (retry later), `ai_quota` (do not), `ai_too_large` (halve the chunk),
   *   `ai_refused_audio` (use another container), `ai_timeout`, `ai_failed`, `no_recogniser`
   */
  transcribe(chunk: SpeechChunk, signal: AbortSignal): Promise<SpeechResult>
}

/** Characters of the scripts that are written without blanks between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u

/** Such a character with what closes after it, or a sign that is as wide as one. */
const ENDING = String.raw`(?:${UNSPACED.source}[\p{Po}\p{Pe}\p{Pf}]{0,3}|[。！？，、；：」』）】》〉])`
/** Such a character with what opens before it. */
const BEGINNING = String.raw`[\p{Ps}\p{Pi}]{0,3}${UNSPACED.source}`

/** A text that ends with such a character. */
export const UNSPACED_END = new RegExp(`${ENDING}$`, 'u')
/** A text that begins with such a character. */
export const UNSPACED_START = new RegExp(`^${BEGINNING}`, 'u')
/** The place between two such characters. */
export const UNSPACED_BORDER = new RegExp(`(?<=${ENDING})(?=${BEGINNING})`, 'u')

/** Chinese and Japanese have no blanks around numbers either. */
const NUMBER_START = /^\p{N}/u
const NUMBER_END = /\p{N}[\p{P}\p{S}]{0,3}$/u
const WIDE_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー。！？，、；：」』）】》〉]$/u
const WIDE_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『（【《〈]/u
/** A character and what closes after it. */
const TAIL_CHARS = 5

/** Joins words to text: with blanks, except between characters of a script that has none. */
export function joinWords(words: string[]): string {
  let text = ''
  for (const word of words) {
    const tail = text.slice(-TAIL_CHARS)
    const isUnspaced = UNSPACED_END.test(tail) && UNSPACED_START.test(word)
    const isBesideNumber =
      (WIDE_END.test(tail) && NUMBER_START.test(word)) || (NUMBER_END.test(tail) && WIDE_START.test(word))
    text += text === '' || isUnspaced || isBesideNumber ? word : ` ${word}`
  }
  return text
}
