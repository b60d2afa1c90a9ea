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

/** How a request is made. Servers refuse what they do not know, or no longer. */
interface Form {
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  response_format?: typeof RESPONSE_FORMAT
}

/** What every server but the newest and the oldest takes. */
const USUAL_FORM: Form = {
  temperature: TEMPERATURE,
  max_tokens: WRITE_STEPS_MAX_TOKENS,
  response_format: RESPONSE_FORMAT,
}

/** The form to try after a refusal; null when there is nothing left to leave out. */
function simplerForm(form: Form, refusal: string): Form | null {
  const { max_tokens, ...withoutLimit } = form
  // Models that think first count their thoughts too, and want the limit by another name.
  if (max_tokens !== undefined && /max_completion_tokens/i.test(refusal)) {
    return { ...withoutLimit, max_completion_tokens: max_tokens }
  }
  const { temperature, ...withoutTemperature } = form
  if (temperature !== undefined && /temperature/i.test(refusal)) return withoutTemperature
  // Many servers know no schemas, and say so in many words; the prompt asks for the same form.
  const { response_format, ...withoutSchema } = form
  return response_format === undefined ? null : withoutSchema
}

/** Step writing by any server that has OpenAI's `/chat/completions`. */
export function openAiStepWriter({ timeoutMs = TIMEOUT_MS, ...server }: OpenAiStepWriterOptions): StepWriter {
  const complete = (messages: ChatMessage[], form: Form, signal: AbortSignal) => {
    const body = JSON.stringify({ model: server.model, messages, ...form })
    return callOpenAi(server, { path: '/chat/completions', body, timeoutMs, signal, who: WHO })
  }

  async function completeInAnyForm(messages: ChatMessage[], signal: AbortSignal): Promise<unknown> {
    for (let form = USUAL_FORM; ; ) {
      try {
        return await complete(messages, form, signal)
      } catch (error) {
        const next = error instanceof RefusedForm ? simplerForm(form, error.body) : null
        if (next === null) throw error
        form = next
      }
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
