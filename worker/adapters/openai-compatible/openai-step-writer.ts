import { WRITE_STEPS_MAX_TOKENS, WRITE_STEPS_SCHEMA } from '#worker/domain/step/prompts/write-steps.v2.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { askForSteps } from '../language/ask-for-steps.ts'
import type { OpenAiServer } from './call-open-ai.ts'
import { chatWithOpenAi } from './openai-chat.ts'

interface OpenAiStepWriterOptions extends OpenAiServer {
  /** How long one answer may take. */
  timeoutMs?: number
}

/** A full answer of 2,048 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const TIMEOUT_MS = 90_000
const RESPONSE_FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'steps', strict: true, schema: WRITE_STEPS_SCHEMA },
}

/** Step writing by any server that has OpenAI's `/chat/completions`. */
export function openAiStepWriter({ timeoutMs = TIMEOUT_MS, ...server }: OpenAiStepWriterOptions): StepWriter {
  const how = { maxTokens: WRITE_STEPS_MAX_TOKENS, responseFormat: RESPONSE_FORMAT, timeoutMs }
  return {
    name: `openai:${server.model}`,
    writeSteps: (window, signal) =>
      askForSteps(window, (messages) => chatWithOpenAi(server, { ...how, messages, signal })),
  }
}
