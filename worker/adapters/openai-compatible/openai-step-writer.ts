import { z } from 'zod'
import {
  type ChatMessage,
  WRITE_STEPS_MAX_TOKENS,
  WRITE_STEPS_SCHEMA,
} from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { askForSteps } from '../language/ask-for-steps.ts'
import { callOpenAi, type OpenAiServer, RefusedForm } from './call-open-ai.ts'

interface OpenAiStepWriterOptions extends OpenAiServer {
  /** How long one answer may take. */
  timeoutMs?: number
}

/** A full answer of 2,048 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const TIMEOUT_MS = 90_000
/** The same transcript shall give the same steps; exactly 0 makes some models repeat themselves. */
const TEMPERATURE = 0.1
const WHO = 'The language model'
const RESPONSE_FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'steps', strict: true, schema: WRITE_STEPS_SCHEMA },
}

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([z.string(), z.array(z.object({ text: z.string().default('') }))]).nullish(),
        }),
      }),
    )
    .min(1),
})

function readContent(answer: unknown): string {
  const parsed = Completion.safeParse(answer)
  if (!parsed.success) throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
  const content = parsed.data.choices[0]?.message.content ?? ''
  return typeof content === 'string' ? content : content.map((piece) => piece.text).join('')
}

/** Step writing by any server that has OpenAI's `/chat/completions`. */
export function openAiStepWriter({ timeoutMs = TIMEOUT_MS, ...server }: OpenAiStepWriterOptions): StepWriter {
  const complete = (messages: ChatMessage[], form: { response_format?: object }, signal: AbortSignal) => {
    const body = {
      model: server.model,
      messages,
      temperature: TEMPERATURE,
      max_tokens: WRITE_STEPS_MAX_TOKENS,
      ...form,
    }
    return callOpenAi(server, { path: '/chat/completions', body: JSON.stringify(body), timeoutMs, signal, who: WHO })
  }

  async function completeInAnyForm(messages: ChatMessage[], signal: AbortSignal): Promise<unknown> {
    try {
      return await complete(messages, { response_format: RESPONSE_FORMAT }, signal)
    } catch (error) {
      if (!(error instanceof RefusedForm)) throw error
      // Many servers know no schemas; the prompt asks for the same form in words.
      return await complete(messages, {}, signal)
    }
  }

  return {
    name: `openai:${server.model}`,
    async writeSteps(window, signal) {
      try {
        return await askForSteps(window, async (messages) => readContent(await completeInAnyForm(messages, signal)))
      } catch (error) {
        if (!(error instanceof RefusedForm)) throw error
        throw new AppError('ai_failed', `${WHO} refused the request.`, { cause: error })
      }
    },
  }
}
