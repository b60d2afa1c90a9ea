import type { Transcription } from './transcription.ts'
import type { WhisperTranscription } from './whisper/whisper-process.ts'

/** Audio of one request, with the hints that came with it. */
export interface SpokenAudio {
  audio: Uint8Array
  /** ISO 639-1; null to let the recogniser decide. */
  language: string | null
  /** Words to expect; null where there are none. */
  prompt: string | null
  /** Aborted when the client is gone. */
  signal: AbortSignal
}

/** A program that turns audio into words. */
export interface Recogniser {
  /** As the list of models names it. */
  model: string
  ownedBy: string
  /** How many transcriptions run at once. */
  atOnce: number
  /** @throws {HTTPException} 400 `audio_unreadable` when the audio cannot be decoded */
  transcribe(spoken: SpokenAudio): Promise<Transcription | WhisperTranscription>
}

/** Whether speech can be recognised by now. */
export type Readiness =
  | { state: 'ready'; recogniser: Recogniser }
  | { state: 'preparing'; doneBytes: number; totalBytes: number }
  /** With a sentence for people: what happened, and what to do. */
  | { state: 'missing'; reason: string }
