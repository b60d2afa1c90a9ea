import {
  type ChatMessage,
  WRITE_STEPS_MAX_TOKENS,
  WRITE_STEPS_SCHEMA,
} from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { askForSteps } from '../language/ask-for-steps.ts'
import { readResponse } from './read-response.ts'
import { runWorkersAi } from './run-workers-ai.ts'

const MODEL = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
/** A full answer of 2,048 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const TIMEOUT_MS = 90_000
const TEMPERATURE = 0.1
/** Workers AI's own words when the model does not manage to follow the schema. */
const MISSED_SCHEMA = /JSON Mode couldn.t be met/i

function isMissedSchema(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof Error && MISSED_SCHEMA.test(error.cause.message)
}

/** Step writing by Llama on Workers AI. */
export function workersAiStepWriter(ai: Ai): StepWriter {
  async function ask(messages: ChatMessage[], signal: AbortSignal): Promise<unknown> {
    const inputs = {
      messages,
      temperature: TEMPERATURE,
      max_tokens: WRITE_STEPS_MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema: WRITE_STEPS_SCHEMA },
    }
    try {
      const call = { model: MODEL, inputs, timeoutMs: TIMEOUT_MS, signal, who: 'The language model' }
      return readResponse(await runWorkersAi(ai, call))
    } catch (error) {
      if (!isMissedSchema(error)) throw error
      // No answer that can be used, but asking once more is worth it, as after any other bad answer.
      return ''
    }
  }
  return {
    name: `workers-ai:${MODEL}`,
    writeSteps: (window, signal) => askForSteps(window, (messages) => ask(messages, signal)),
  }
}
