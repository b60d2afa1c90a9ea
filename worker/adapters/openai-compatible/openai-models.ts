import { z } from 'zod'
import { AppError } from '#worker/core/errors.ts'
import type { AudioContentType, SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { type ChatModel, type ChatRequest, Content, reportUsage, TEMPERATURE, WHO } from '../language/ask-model.ts'
import { callOpenAi, type OpenAiServer, openOpenAiStream, RefusedForm } from '../service/call-service.ts'
import { normaliseWhisper } from '../whisper/normalise-whisper.ts'

interface OpenAiSpeechOptions extends OpenAiServer {
  /** How long one chunk may take. */
  timeoutMs?: number
}

/** A server on a plain CPU transcribes a part of 90 s in up to three times its length. */
const TIMEOUT_MS = 5 * 60_000
/** Servers recognise the container by the file name, not by the content type. */
const EXTENSIONS = {
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
} as const satisfies Record<AudioContentType, string>
/** Words about the form of the answer: models that write no times refuse `verbose_json`. */
const REFUSES_TIMES = /response_format|verbose_json|timestamp_granularities/i

/** Words about the file: servers decode with whatever they were built with. */
const REFUSES_AUDIO =
  /file format|unsupported (?:file|format|media)|could not be decoded|decod|codec|corrupted|audio file/i

/** Whose turn a chunk takes, for a server that transcribes little at once. OpenAI has no field for it. */
export const TURN_HEADER = 'x-adapt-turn'

type AnswerFormat = 'verbose_json' | 'json'

function makeForm(chunk: SpeechChunk, model: string, format: AnswerFormat): FormData {
  const form = new FormData()
  const file = new Blob([chunk.audio], { type: chunk.contentType })
  form.append('file', file, `chunk.${EXTENSIONS[chunk.contentType]}`)
  form.append('model', model)
  form.append('response_format', format)
  if (format === 'verbose_json') {
    form.append('timestamp_granularities[]', 'word')
    form.append('timestamp_granularities[]', 'segment')
  }
  if (chunk.language !== null) form.append('language', chunk.language)
  if (chunk.prompt !== null) form.append('prompt', chunk.prompt)
  return form
}

/** Speech recognition by any server that has OpenAI's `/audio/transcriptions`. */
export function openAiSpeech({ timeoutMs = TIMEOUT_MS, ...server }: OpenAiSpeechOptions): SpeechToText {
  const ask = (chunk: SpeechChunk, format: AnswerFormat, signal: AbortSignal) =>
    callOpenAi(server, {
      path: '/audio/transcriptions',
      body: makeForm(chunk, server.model, format),
      ...(chunk.turn !== undefined && { headers: { [TURN_HEADER]: chunk.turn } }),
      timeoutMs,
      signal,
      who: 'The speech service',
    })

  return {
    name: `openai:${server.model}`,
    async transcribe(chunk, signal) {
      const answer = await ask(chunk, 'verbose_json', signal).catch((error: unknown) => {
        if (!(error instanceof RefusedForm)) throw error
        if (REFUSES_TIMES.test(error.body)) return ask(chunk, 'json', signal)
        if (!REFUSES_AUDIO.test(error.body)) throw error
        throw new AppError('ai_refused_audio', 'The speech service did not take the audio.', { cause: error.cause })
      })
      return normaliseWhisper(answer, chunk.durationMs, chunk.prompt)
    },
  }
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: Content.nullish() }) })).min(1),
})

function readContent(answer: unknown): string {
  const { data } = Completion.safeParse(answer)
  if (data === undefined) throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
  return data.choices[0]?.message.content ?? ''
}

/** The variable fields of a request: servers refuse fields that they do not know or no longer support. */
interface Form {
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  response_format?: object
  stream_options?: object
}

/** The form that all servers but the newest and the oldest accept. */
function usualForm({ maxTokens, schema }: Pick<ChatRequest, 'maxTokens' | 'schema'>, isStreamed: boolean): Form {
  // A stream reports its token usage only on request.
  const usage = isStreamed ? { stream_options: { include_usage: true } } : {}
  const form = { temperature: TEMPERATURE, max_tokens: maxTokens, ...usage }
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
  const { stream_options, ...withoutUsage } = form
  if (stream_options !== undefined) return withoutUsage
  // Many servers support no schemas and say so in various words; the prompt asks for the same form.
  const { response_format, ...withoutSchema } = form
  return response_format === undefined ? null : withoutSchema
}

/** Sends a request in a form that the server takes. @param extraFields fields of the request that every form has */
async function sendInAnyForm<Answer>(
  send: (call: Parameters<typeof callOpenAi>[1]) => Promise<Answer>,
  { messages, timeoutMs, signal, ...request }: ChatRequest,
  extraFields: { model: string; stream?: true },
): Promise<Answer> {
  for (let form = usualForm(request, extraFields.stream === true); ; ) {
    try {
      const body = JSON.stringify({ messages, ...extraFields, ...form })
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
    ask: async (request) => {
      const answer = await sendInAnyForm((call) => callOpenAi(server, call), request, { model })
      reportUsage(answer, request.onUsage)
      return readContent(answer)
    },
    stream: (request) => sendInAnyForm((call) => openOpenAiStream(server, call), request, { model, stream: true }),
  }
}
