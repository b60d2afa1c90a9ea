import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { spokenLanguage } from '#worker/domain/transcript/spoken-language.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { AudioContentType, SpeechToText } from '#worker/ports/speech-to-text.ts'

/** What a learner recorded. */
export interface Recording {
  audio: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
}

/** Nobody has measured a recording; its bytes cannot hold more speech than this. */
const LONGEST_MS = 10 * 60_000
/** @see specification §9 */
const USUAL_LANGUAGE = 'en'

/**
 * Writes a spoken question down, in the language of the video where it is known. @returns empty where nobody spoke
 * @throws {AppError} not_implemented without a recogniser, unavailable when it fails or takes too long
 */
export async function hearQuestion(
  speech: SpeechToText,
  { audio, contentType, module }: Recording & { module: Pick<ModuleRow, 'language' | 'glossary'> },
  deadline: AbortSignal,
): Promise<string> {
  const language = module.language === null ? USUAL_LANGUAGE : spokenLanguage(module.language)
  const part = { audio, contentType, durationMs: LONGEST_MS, language, prompt: module.glossary }
  try {
    const { words } = await speech.transcribe(part, deadline)
    return words.map(({ text }) => text).join(' ')
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_recogniser') {
      throw new AppError('not_implemented', 'Speech recognition is not installed here. Type your question instead.')
    }
    logLine('warn', 'question_not_heard', { model: speech.name, ...faultOf(error) })
    throw new AppError('unavailable', 'Your question could not be understood. Say it again, or type it.', {
      cause: error,
      retryAfterS: 5,
    })
  }
}
