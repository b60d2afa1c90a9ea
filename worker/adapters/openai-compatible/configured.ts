import type { StepWriter, TextRewriter, TutorModel } from '#worker/ports/language-model.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import { withSecondChoice } from '../language/speak.ts'
import type { OpenAiServer } from './call-open-ai.ts'
import { openAiStepWriter, openAiTextRewriter, openAiTutorModel } from './openai-chat.ts'
import { openAiSpeech } from './openai-speech.ts'

/**
 * @param limits its `timeoutMs` replaces the usual time for one part
 * @returns null when no OpenAI-compatible speech server is configured
 */
export function configuredSpeech(env: Env, limits: { timeoutMs?: number } = {}): SpeechToText | null {
  if (env.SPEECH_BASE_URL === '') return null
  const { SPEECH_BASE_URL: baseUrl, SPEECH_API_KEY: apiKey, SPEECH_MODEL: model } = env
  return openAiSpeech({ baseUrl, apiKey, model, ...limits })
}

/** @returns null when no OpenAI-compatible chat server is configured */
export function configuredStepWriter(env: Env): StepWriter | null {
  const server = chatServer(env)
  return server === null ? null : openAiStepWriter(server)
}

/** @returns null when no OpenAI-compatible chat server is configured */
export function configuredTextRewriter(env: Env): TextRewriter | null {
  const server = chatServer(env)
  return server === null ? null : openAiTextRewriter(server)
}

/** @returns null when no OpenAI-compatible chat server is configured */
export function configuredTutorModel(env: Env): TutorModel | null {
  const server = chatServer(env)
  if (server === null) return null
  const first = openAiTutorModel(server)
  const { LANGUAGE_SECOND_MODEL: model } = env
  return model === '' ? first : withSecondChoice(first, openAiTutorModel({ ...server, model }))
}

function chatServer(env: Env): OpenAiServer | null {
  if (env.LANGUAGE_BASE_URL === '') return null
  return { baseUrl: env.LANGUAGE_BASE_URL, apiKey: env.LANGUAGE_API_KEY, model: env.LANGUAGE_MODEL }
}
