import { rateTranscription, type Transcription } from '#worker/domain/transcript/rate-transcription.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { prepareWhisper } from '../../prepare-whisper.ts'
import type { WhisperRecogniser } from '../../whisper-recogniser.ts'
import { TESTED_MODEL } from '../is-whisper-here.ts'

/** Opens the engine and the weights that are in the cache; nothing is downloaded. @param workDir an existing folder */
export function openTestedWhisper(workDir: string, env: Record<string, string> = {}): Promise<WhisperRecogniser> {
  return prepareWhisper({
    env: { ...process.env, ADAPT_WHISPER: TESTED_MODEL, ...env },
    mayInstall: false,
    workDir,
    signal: new AbortController().signal,
    onLine: () => undefined,
    onProgress: () => undefined,
    say: () => undefined,
  })
}

/** Judges all words of a recording as the product does. */
export function judgeWords(words: readonly TranscribedWord[], durationMs: number): Transcription {
  const confidenceSum = words.reduce((sum, { confidence }) => sum + (confidence ?? 1), 0)
  const sums = { transcribedMs: durationMs, wordCount: words.length, confidenceSum }
  return rateTranscription(sums)
}
