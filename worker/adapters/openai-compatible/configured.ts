import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { openAiSpeech } from './openai-speech.ts'
import { openAiStepWriter } from './openai-step-writer.ts'

/** @returns null when no OpenAI-compatible speech server is configured */
export function configuredSpeech(env: Env): SpeechToText | null {
  if (env.SPEECH_BASE_URL === '') return null
  return openAiSpeech({ baseUrl: env.SPEECH_BASE_URL, apiKey: env.SPEECH_API_KEY, model: env.SPEECH_MODEL })
}

/** @returns null when no OpenAI-compatible chat server is configured */
export function configuredStepWriter(env: Env): StepWriter | null {
  if (env.LANGUAGE_BASE_URL === '') return null
  return openAiStepWriter({ baseUrl: env.LANGUAGE_BASE_URL, apiKey: env.LANGUAGE_API_KEY, model: env.LANGUAGE_MODEL })
}
