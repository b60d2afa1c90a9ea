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
  /** 0–1; null when the recogniser reports none. A mean under 0.5: not understood. */
  confidence: number | null
}

/** The words that were transcribed from one chunk. No words means that it has no speech. */
export interface SpeechResult {
  words: TranscribedWord[]
  /** ISO 639-1; null when unknown. */
  language: string | null
}

/** Turns speech into words with times. */
export interface SpeechToText {
  /** For logs: engine and model. */
  readonly name: string
  /**
   * Transcribes one chunk. Normalises whatever the engine answers: words are in order, inside the chunk, without NaN.
   * @throws {AppError} `ai_busy` (retry later), `ai_quota` (do not), `ai_too_large` (halve the chunk),
   *   `ai_refused_audio` (use another container), `ai_timeout`, `ai_failed`, `no_recogniser`
   */
  transcribe(chunk: SpeechChunk, signal: AbortSignal): Promise<SpeechResult>
}
