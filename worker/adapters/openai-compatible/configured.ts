import type { Services } from '#worker/core/services.ts'
import { languageServices } from '../language/speak.ts'
import { libreTranslator } from '../libretranslate/libretranslate.ts'
import { openAiChat, openAiSpeech } from './openai-models.ts'

/**
 * Makes the services for which a server is configured, OpenAI-compatible or LibreTranslate's, and no others.
 * @param limits its `timeoutMs` replaces the usual time for one chunk of audio
 */
export function configuredServices(env: Env, limits: { timeoutMs?: number } = {}): Partial<Services> {
  const speech = { baseUrl: env.SPEECH_BASE_URL, apiKey: env.SPEECH_API_KEY, model: env.SPEECH_MODEL }
  const language = { baseUrl: env.LANGUAGE_BASE_URL, apiKey: env.LANGUAGE_API_KEY, model: env.LANGUAGE_MODEL }
  const { LANGUAGE_SECOND_MODEL: model } = env
  const second = model === '' ? null : openAiChat({ ...language, model })
  const translation = { baseUrl: env.TRANSLATE_BASE_URL, name: env.TRANSLATE_ENGINE }
  return {
    ...(speech.baseUrl !== '' && { speech: openAiSpeech({ ...speech, ...limits }) }),
    ...(language.baseUrl !== '' && languageServices(openAiChat(language), second)),
    ...(env.TRANSLATE_BASE_URL !== '' && { translator: libreTranslator(translation) }),
  }
}
