import { regionalTagOf } from '#contract/languages.ts'

export type VoiceProblem =
  | { kind: 'denied' }
  /** This input does not work in this browser, although feature detection found it. */
  | { kind: 'unusable'; message: string }
  | { kind: 'error'; message: string }

export interface VoiceListener {
  /** The interim text of the current phrase; replaces the one before. */
  onInterim(text: string): void
  /** A phrase that will not change any more. */
  onPhrase(text: string): void
  /** Recording has ended; the speech is being transcribed. */
  onWriting(): void
  /** It is over, after its last phrase. Not called after a problem, nor after `cancel`. */
  onEnd(): void
  onProblem(problem: VoiceProblem): void
}

/** A way to transcribe speech. One instance serves one section of listening. */
export interface VoiceInput {
  start(): void
  /** Stops listening; the speech so far is still delivered. */
  stop(): void
  /** Ends at once, and calls no listener afterwards. */
  cancel(): void
  /** What is being said now is not wanted. */
  skip(): void
}

export type OpenVoiceInput = (listener: VoiceListener) => VoiceInput

/** The language in which a page is spoken to and speaks: `en-US` on English pages. BCP 47. @see specification §9 */
export function voiceLanguage(): string {
  return regionalTagOf(document.documentElement.lang || 'en')
}
