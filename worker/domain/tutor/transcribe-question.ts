import { RECORDING_MAX_MS } from '#contract/limits.ts'
import { measureRecording } from '#worker/domain/media/read-chunk.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { spokenLanguage } from '#worker/domain/transcript/transcribe-chunk.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { AudioContentType, SpeechToText } from '#worker/ports/speech-to-text.ts'

/** What a learner recorded. */
export interface Recording {
  audio: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
}

/** @see specification §9 */
const USUAL_LANGUAGE = 'en'

/**
 * Measures a recording before it is paid for and transcribed.
 * @returns milliseconds of audio in it
 * @throws {AppError} payload_too_large when it is too long, unsupported_media_type when it cannot be measured
 */
export async function measureQuestion(recording: Recording): Promise<number> {
  const durationMs = await measureRecording(recording, RECORDING_MAX_MS)
  if (durationMs === null) {
    throw new AppError('unsupported_media_type', 'This recording cannot be read. Say it again, or type your question.')
  }
  if (durationMs <= RECORDING_MAX_MS) return Math.ceil(durationMs)
  throw new AppError(
    'payload_too_large',
    'This recording is longer than two minutes. Say your question in fewer words, or type it.',
  )
}

/**
 * Transcribes a spoken question, in the language of the video where it is known. @returns empty for a silent recording
 * @throws {AppError} not_implemented without a recogniser, unavailable when it fails or takes too long
 */
export async function transcribeQuestion(
  speech: SpeechToText,
  { module, ...recording }: Recording & { durationMs: number; module: Pick<ModuleRow, 'language' | 'glossary'> },
  deadline: AbortSignal,
): Promise<string> {
  const language = module.language === null ? USUAL_LANGUAGE : spokenLanguage(module.language)
  try {
    const { words } = await speech.transcribe({ ...recording, language, prompt: module.glossary }, deadline)
    return words.map(({ text }) => text).join(' ')
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_recogniser') {
      throw new AppError('not_implemented', 'Speech recognition is not installed here. Type your question instead.')
    }
    logLine('warn', 'question_not_transcribed', { model: speech.name, ...faultOf(error) })
    throw new AppError('unavailable', 'Your question could not be understood. Say it again, or type it.', {
      cause: error,
      retryAfterS: 5,
    })
  }
}
