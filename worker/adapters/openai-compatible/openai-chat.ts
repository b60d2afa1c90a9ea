import { z } from 'zod'
import { AppError } from '#worker/errors.ts'
import { type ChatModel, type ChatRequest, Content, TEMPERATURE, WHO } from '../language/ask-model.ts'
import { callOpenAi, type OpenAiServer, openOpenAiStream, RefusedForm } from './call-open-ai.ts'

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: Content.nullish() }) })).min(1),
})

function readContent(answer: unknown): string {
  const { data } = Completion.safeParse(answer)
  if (data === undefined) throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
  return data.choices[0]?.message.content ?? ''
}

/** How a request is made. Servers refuse what they do not know, or no longer. */
interface Form {
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  response_format?: object
}

/** What every server but the newest and the oldest takes. */
function usualForm({ maxTokens, schema }: Pick<ChatRequest, 'maxTokens' | 'schema'>): Form {
  const form = { temperature: TEMPERATURE, max_tokens: maxTokens }
  if (schema === undefined) return form
  return { ...form, response_format: { type: 'json_schema', json_schema: { name: 'steps', strict: true, schema } } }
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
  send: (call: Parameters<typeof callOpenAi>[1]) => Promise<Answer>,
  { messages, timeoutMs, signal, ...request }: ChatRequest,
  more: object,
): Promise<Answer> {
  for (let form = usualForm(request); ; ) {
    try {
      const body = JSON.stringify({ messages, ...more, ...form })
      return await send({ path: '/chat/completions', body, timeoutMs, signal, who: WHO })
    } catch (error) {
      const next = error instanceof RefusedForm ? simplerForm(form, error.body) : null
      if (next === null) throw error
      form = next
    }
  }
}

/** A model of any server that has OpenAI's `/chat/completions`, asked in a form that the server takes. */
export function openAiChat(server: OpenAiServer): ChatModel {
  const { model } = server
  return {
    name: `openai:${model}`,
    ask: async (request) => readContent(await sendInAnyForm((call) => callOpenAi(server, call), request, { model })),
    stream: (request) => sendInAnyForm((call) => openOpenAiStream(server, call), request, { model, stream: true }),
  }
}
