import { z } from 'zod'
import { rewritePrompt } from '#worker/domain/rewrite/prompts/rewrite.v1.ts'
import { WRITE_STEPS_MAX_TOKENS, WRITE_STEPS_SCHEMA } from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWriter, TextRewriter, TutorModel } from '#worker/ports/language-model.ts'
import { askForSteps, REWRITE_MAX_TOKENS, REWRITE_TIMEOUT_MS } from '../language/ask-model.ts'
import { ANSWER_MAX_TOKENS, ANSWER_TEMPERATURE, speak } from '../language/speak.ts'
import { callOpenAi, type OpenAiServer, openOpenAiStream, RefusedForm } from './call-open-ai.ts'

interface ChatRequest {
  messages: readonly { role: string; content: string }[]
  maxTokens: number
  temperature?: number
  /** `response_format` as OpenAI has it; left out where the answer is plain text. */
  responseFormat?: object
  timeoutMs: number
  signal: AbortSignal
}

/** The same question shall give the same answer; exactly 0 makes some models repeat themselves. */
const TEMPERATURE = 0.1
const WHO = 'The language model'

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
  response_format?: object
}

/** What every server but the newest and the oldest takes. */
function usualForm({ maxTokens, responseFormat, temperature = TEMPERATURE }: ChatRequest): Form {
  const form = { temperature, max_tokens: maxTokens }
  return responseFormat === undefined ? form : { ...form, response_format: responseFormat }
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

/** Sends a request in a form that the server takes. @param more fields of the request beside its form */
async function sendInAnyForm<Answer>(
  { request, server, more }: { request: ChatRequest; server: OpenAiServer; more?: object },
  send: (call: Parameters<typeof callOpenAi>[1]) => Promise<Answer>,
): Promise<Answer> {
  const { messages, timeoutMs, signal } = request
  for (let form = usualForm(request); ; ) {
    try {
      const body = JSON.stringify({ model: server.model, messages, ...more, ...form })
      return await send({ path: '/chat/completions', body, timeoutMs, signal, who: WHO })
    } catch (error) {
      const next = error instanceof RefusedForm ? simplerForm(form, error.body) : null
      if (next !== null) form = next
      else if (error instanceof RefusedForm) {
        throw new AppError('ai_failed', `${WHO} refused the request.`, { cause: error })
      } else throw error
    }
  }
}

/**
 * Asks a server that has OpenAI's `/chat/completions`, in a form that it takes.
 * @returns the text of its answer
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`
 */
async function chatWithOpenAi(server: OpenAiServer, request: ChatRequest): Promise<string> {
  return readContent(await sendInAnyForm({ server, request }, (call) => callOpenAi(server, call)))
}

/**
 * The same, with the answer as the server-sent events of its tokens. The signal ends it also later.
 * @throws as {@link chatWithOpenAi}
 */
function streamFromOpenAi(server: OpenAiServer, request: ChatRequest): Promise<ReadableStream<Uint8Array>> {
  return sendInAnyForm({ server, request, more: { stream: true } }, (call) => openOpenAiStream(server, call))
}

interface OpenAiStepWriterOptions extends OpenAiServer {
  /** How long one answer may take. */
  timeoutMs?: number
}

/** A full answer of 2,048 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const STEPS_TIMEOUT_MS = 90_000
const RESPONSE_FORMAT = {
  type: 'json_schema',
  json_schema: { name: 'steps', strict: true, schema: WRITE_STEPS_SCHEMA },
}

/** Step writing by any server that has OpenAI's `/chat/completions`. */
export function openAiStepWriter({ timeoutMs = STEPS_TIMEOUT_MS, ...server }: OpenAiStepWriterOptions): StepWriter {
  const how = { maxTokens: WRITE_STEPS_MAX_TOKENS, responseFormat: RESPONSE_FORMAT, timeoutMs }
  return {
    name: `openai:${server.model}`,
    writeSteps: (window, signal) =>
      askForSteps(window, (messages) => chatWithOpenAi(server, { ...how, messages, signal })),
  }
}

/** Rewriting by any server that has OpenAI's `/chat/completions`. */
export function openAiTextRewriter(server: OpenAiServer): TextRewriter {
  return {
    name: `openai:${server.model}`,
    rewrite: (task, signal) =>
      chatWithOpenAi(server, {
        messages: rewritePrompt(task),
        maxTokens: REWRITE_MAX_TOKENS,
        timeoutMs: REWRITE_TIMEOUT_MS,
        signal,
      }),
  }
}

/** Longer than any caller waits: `speak` has the limits. */
const ANSWER_TIMEOUT_MS = 60_000

/** The tutor by any server that has OpenAI's `/chat/completions` with streaming. */
export function openAiTutorModel(server: OpenAiServer): TutorModel {
  const how = { maxTokens: ANSWER_MAX_TOKENS, temperature: ANSWER_TEMPERATURE, timeoutMs: ANSWER_TIMEOUT_MS }
  return {
    name: `openai:${server.model}`,
    answer: ({ messages }, signal) =>
      speak((stop) => streamFromOpenAi(server, { ...how, messages, signal: stop }), signal),
  }
}
