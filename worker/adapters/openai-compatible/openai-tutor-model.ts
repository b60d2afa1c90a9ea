import type { TutorModel } from '#worker/ports/tutor-model.ts'
import { ANSWER_MAX_TOKENS, ANSWER_TEMPERATURE, speak } from '../language/speak.ts'
import type { OpenAiServer } from './call-open-ai.ts'
import { streamFromOpenAi } from './openai-chat.ts'

/** Longer than any caller waits: `speak` has the limits. */
const TIMEOUT_MS = 60_000

/** The tutor by any server that has OpenAI's `/chat/completions` with streaming. */
export function openAiTutorModel(server: OpenAiServer): TutorModel {
  const how = { maxTokens: ANSWER_MAX_TOKENS, temperature: ANSWER_TEMPERATURE, timeoutMs: TIMEOUT_MS }
  return {
    name: `openai:${server.model}`,
    answer: ({ messages }, signal) =>
      speak((stop) => streamFromOpenAi(server, { ...how, messages, signal: stop }), signal),
  }
}
