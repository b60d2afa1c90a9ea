import type { Services } from '#worker/core/services.ts'
import { languageServices } from '../language/speak.ts'
import { libreTranslator } from '../libretranslate/libretranslate.ts'
import { openAiChat, openAiSpeech } from './openai-models.ts'

interface ConfiguredOptions {
  /** In place of the usual time for one chunk of audio. */
  timeoutMs?: number
  /** What reaches the OpenAI-compatible servers in place of the network. */
  fetch?: typeof fetch
}

/**
 * Makes the services for which a server is configured, OpenAI-compatible or LibreTranslate's, and no others.
 */
export function configuredServices(env: Env, options: ConfiguredOptions = {}): Partial<Services> {
  const { timeoutMs, fetch } = options
  const transport = fetch === undefined ? {} : { fetch }
  const speech = { baseUrl: env.SPEECH_BASE_URL, apiKey: env.SPEECH_API_KEY, model: env.SPEECH_MODEL, ...transport }
  const language = {
    baseUrl: env.LANGUAGE_BASE_URL,
    apiKey: env.LANGUAGE_API_KEY,
    model: env.LANGUAGE_MODEL,
    ...transport,
  }
  const { LANGUAGE_SECOND_MODEL: model } = env
  const second = model === '' ? null : openAiChat({ ...language, model })
  const translation = { baseUrl: env.TRANSLATE_BASE_URL, name: env.TRANSLATE_ENGINE }
  return {
    ...(speech.baseUrl !== '' && {
      speech: openAiSpeech({ ...speech, ...(timeoutMs !== undefined && { timeoutMs }) }),
    }),
    ...(language.baseUrl !== '' && languageServices(openAiChat(language), second)),
    ...(env.TRANSLATE_BASE_URL !== '' && { translator: libreTranslator(translation) }),
  }
}
