import { AppError } from '#worker/core/errors.ts'
import type { SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { type ChatModel, type ChatRequest, reportUsage, TEMPERATURE, WHO } from '../language/ask-model.ts'
import { languageServices } from '../language/speak.ts'
import { readFault, withDeadline } from '../service/call-service.ts'
import { normaliseWhisper } from '../whisper/normalise-whisper.ts'
import type { Pace } from './pace-calls.ts'

/** Names of models in the catalogue of Workers AI. */
export type WorkersAiModels = Pick<
  Env,
  'WORKERS_AI_SPEECH_MODEL' | 'WORKERS_AI_LANGUAGE_MODEL' | 'WORKERS_AI_SECOND_MODEL'
>

/** Workers AI, the pace at which it is called, and which of its models are. */
export interface PacedAi {
  ai: Ai
  pace: Pace
  models: WorkersAiModels
}

interface Run {
  model: string
  inputs: Record<string, unknown>
  /** The third argument, but for its signal. */
  options?: Record<string, unknown>
  timeoutMs: number
  signal: AbortSignal
  /** Who is called, for messages: "The speech service". */
  who: string
}

/**
 * Runs a model of Workers AI.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`
 */
function runWorkersAi(ai: Ai, { model, inputs, options, ...deadline }: Run): Promise<unknown> {
  return withDeadline(deadline, async (signal) => {
    try {
      // Without it a call waits for capacity, and a full queue looks like a timeout.
      const how = { rejectIfBusy: true, ...options, signal }
      // The types of a known model cover neither the audio container nor unexpected answers.
      return (await (ai as Pick<Ai<Record<never, never>>, 'run'>).run(model, inputs, how)) as unknown
    } catch (cause) {
      throw readFault({ reason: cause instanceof Error ? cause.message : String(cause), who: deadline.who, cause })
    }
  })
}

/** Slowest short clip on record: 6 s. A call that takes a hundred times as long hangs. */
const SPEECH_TIMEOUT_MS = 5 * 60_000

function makeInputs(chunk: SpeechChunk): Record<string, unknown> {
  // The pinned library of types is older than the method.
  const audio = (chunk.audio as Uint8Array as Uint8Array & { toBase64: () => string }).toBase64()
  // Dozens of chunks wait for their answers at once, so a second copy of each in memory would be too much.
  chunk.audio.buffer.transfer(0)
  return {
    audio,
    task: 'transcribe',
    // Both keep Whisper from making text up: over silence, and in a loop that feeds on what it wrote before.
    vad_filter: true,
    condition_on_previous_text: false,
    ...(chunk.language === null ? {} : { language: chunk.language }),
    ...(chunk.prompt === null ? {} : { initial_prompt: chunk.prompt }),
  }
}

/** What is wrong with the request's form, or with what the account may use (platform/errors); no container helps. */
const NO_MATTER_OF_AUDIO = /\b(?:3003|3023|3041|5004|5007|5018)\b/

/**
 * Reads a failure that has no better name as a refusal of the audio: the documentation does not say how Whisper words
 * one, and of two requests that are alike but for their audio nothing else is different.
 */
function readRefusal(error: unknown): unknown {
  if (!(error instanceof AppError && error.code === 'ai_failed')) return error
  const message = error.cause instanceof Error ? error.cause.message : String(error.cause)
  if (NO_MATTER_OF_AUDIO.test(message)) return error
  return new AppError('ai_refused_audio', 'The speech service did not take the audio.', { cause: error.cause })
}

/** Speech recognition by Whisper on Workers AI. */
export function workersAiSpeech({ ai, pace, models }: PacedAi): SpeechToText {
  const model = models.WORKERS_AI_SPEECH_MODEL
  return {
    name: `workers-ai:${model}`,
    async transcribe(chunk, signal) {
      const who = 'The speech service'
      await pace({ kind: 'speech', isUrgent: chunk.isAwaited ?? false, signal, who })
      const run = { model, inputs: makeInputs(chunk), timeoutMs: SPEECH_TIMEOUT_MS, signal }
      const answer = await runWorkersAi(ai, { ...run, who }).catch((error: unknown) => {
        throw readRefusal(error)
      })
      return normaliseWhisper(answer, chunk.durationMs, chunk.prompt)
    },
  }
}

/** Workers AI's own words when the model does not manage to follow the schema. */
const MISSED_SCHEMA = /JSON Mode couldn.t be met/i

function isMissedSchema(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof Error && MISSED_SCHEMA.test(error.cause.message)
}

/** `response` is the JSON as an object, in some cases as text; newer models answer as OpenAI does. */
function readResponse(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const { choices, response } = answer as { choices?: { message?: { content?: unknown } }[] | null; response?: unknown }
  return choices?.[0]?.message?.content ?? response ?? answer
}

/** Steps and outlines have more time than this; people wait for answers, judgements and rewritten texts. */
const URGENT_MS = 10_000

function workersAiChat({ ai, pace }: PacedAi, model: string): ChatModel {
  const run = async (
    { messages, maxTokens, timeoutMs, signal, onUsage }: ChatRequest,
    extraInputs: object,
    options: Record<string, unknown>,
  ) => {
    const inputs = { messages, temperature: TEMPERATURE, max_tokens: maxTokens, ...extraInputs }
    await pace({ kind: 'language', isUrgent: timeoutMs <= URGENT_MS, signal, who: WHO })
    const answer = await runWorkersAi(ai, { model, inputs, options, timeoutMs, signal, who: WHO })
    reportUsage(answer, onUsage)
    return answer
  }
  return {
    name: `workers-ai:${model}`,
    async ask(request) {
      const { schema } = request
      try {
        const form = schema && { response_format: { type: 'json_schema', json_schema: schema } }
        return readResponse(await run(request, { ...form }, {}))
      } catch (error) {
        if (!isMissedSchema(error)) throw error
        // An unusable answer: the caller asks once more, as after any other bad answer.
        return ''
      }
    },
    async stream(request, moduleId) {
      // Questions about one video share the same prefix cache.
      const options = { extraHeaders: { 'x-session-affinity': moduleId } }
      const answer = await run(request, { stream: true }, options)
      if (answer instanceof ReadableStream) return answer as ReadableStream<Uint8Array>
      throw new AppError('ai_failed', `${WHO} gave an answer that is no stream.`)
    },
  }
}

/** Those that the card of Llama 3.3 names, as far as trainings are translated into them. */
const LLAMA_LANGUAGES = ['en', 'de', 'fr', 'it', 'pt', 'hi', 'es', 'th'] as const

/** All that a language model does, by Llama on Workers AI; the second model takes over where the first is out of capacity. */
export function workersAiLanguage(ai: PacedAi) {
  const { WORKERS_AI_LANGUAGE_MODEL: first, WORKERS_AI_SECOND_MODEL: second } = ai.models
  const secondChat = second === '' ? null : workersAiChat(ai, second)
  return languageServices(workersAiChat(ai, first), secondChat, LLAMA_LANGUAGES)
}
