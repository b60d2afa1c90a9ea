import { rewritePrompt } from '#worker/domain/rewrite/prompts/rewrite.v1.ts'
import {
  type ChatMessage,
  WRITE_STEPS_MAX_TOKENS,
  WRITE_STEPS_SCHEMA,
} from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWriter, TextRewriter, TutorModel } from '#worker/ports/language-model.ts'
import type { SpeechChunk, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { readFault, withDeadline } from '../call-service.ts'
import { askForSteps, REWRITE_MAX_TOKENS, REWRITE_TIMEOUT_MS } from '../language/ask-model.ts'
import { ANSWER_MAX_TOKENS, ANSWER_TEMPERATURE, speak, withSecondChoice } from '../language/speak.ts'
import { normaliseWhisper } from '../whisper/normalise-whisper.ts'

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

function toAppError(error: unknown, who: string): AppError {
  if (error instanceof AppError) return error
  return readFault({ reason: error instanceof Error ? error.message : String(error), who, cause: error })
}

/**
 * Runs a model of Workers AI.
 * @throws {AppError} `ai_busy`, `ai_quota`, `ai_too_large`, `ai_timeout`, `ai_failed`
 */
function runWorkersAi(ai: Ai, { model, inputs, options, ...deadline }: Run): Promise<unknown> {
  return withDeadline(deadline, async (signal) => {
    try {
      // The types of a known model fit neither the audio container nor an answer that may be anything.
      return (await (ai as Pick<Ai<Record<never, never>>, 'run'>).run(model, inputs, { ...options, signal })) as unknown
    } catch (error) {
      throw toAppError(error, deadline.who)
    }
  })
}

/** `response` is the JSON as an object, in some cases as text; newer models answer as OpenAI does. */
function readResponse(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  const { choices, response } = answer as { choices?: { message?: { content?: unknown } }[] | null; response?: unknown }
  return choices?.[0]?.message?.content ?? response ?? answer
}

const SPEECH_MODEL = '@cf/openai/whisper-large-v3-turbo'
/** Slowest short clip on record: 6 s. A call that takes a hundred times as long hangs. */
const SPEECH_TIMEOUT_MS = 5 * 60_000
/** `String.fromCharCode` takes its bytes as arguments, and too many overflow the stack. */
const BASE64_CHUNK_BYTES = 0x8000

function toBase64(bytes: Uint8Array & { toBase64?: () => string }): string {
  if (bytes.toBase64 !== undefined) return bytes.toBase64()
  let binary = ''
  for (let at = 0; at < bytes.length; at += BASE64_CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BASE64_CHUNK_BYTES))
  }
  return btoa(binary)
}

function makeInputs(chunk: SpeechChunk): Record<string, unknown> {
  const audio = toBase64(chunk.audio)
  // Dozens of chunks wait for their answers at once; twice the same audio in memory would be too much.
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

/** Speech recognition by Whisper on Workers AI. */
export function workersAiSpeech(ai: Ai): SpeechToText {
  return {
    name: `workers-ai:${SPEECH_MODEL}`,
    async transcribe(chunk, signal) {
      const call = {
        model: SPEECH_MODEL,
        inputs: makeInputs(chunk),
        timeoutMs: SPEECH_TIMEOUT_MS,
        signal,
        who: 'The speech service',
      }
      return normaliseWhisper(await runWorkersAi(ai, call), chunk.durationMs, chunk.prompt)
    },
  }
}

const MODEL = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
/** A full answer of 2,048 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const STEPS_TIMEOUT_MS = 90_000
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
      const call = { model: MODEL, inputs, timeoutMs: STEPS_TIMEOUT_MS, signal, who: 'The language model' }
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

const WHO = 'The language model'

/** Rewriting by Llama on Workers AI. */
export function workersAiTextRewriter(ai: Ai): TextRewriter {
  return {
    name: `workers-ai:${MODEL}`,
    async rewrite(task, signal) {
      const inputs = { messages: rewritePrompt(task), temperature: TEMPERATURE, max_tokens: REWRITE_MAX_TOKENS }
      const call = { model: MODEL, inputs, timeoutMs: REWRITE_TIMEOUT_MS, signal, who: WHO }
      const answer = readResponse(await runWorkersAi(ai, call))
      if (typeof answer !== 'string') throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
      return answer
    },
  }
}

const FIRST_CHOICE = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
/** Takes over where the first is out of capacity: a plainer answer now rather than a better one late. */
const SECOND_CHOICE = '@cf/meta/llama-3.1-8b-instruct-fast'
/** Longer than any caller waits: `speak` has the limits. */
const ANSWER_TIMEOUT_MS = 60_000

/** The tutor by Llama on Workers AI. */
export function workersAiTutorModel(ai: Ai): TutorModel {
  return withSecondChoice(modelOf(ai, FIRST_CHOICE), modelOf(ai, SECOND_CHOICE))
}

function modelOf(ai: Ai, model: string): TutorModel {
  return {
    name: `workers-ai:${model}`,
    answer: ({ messages, moduleId }, signal) =>
      speak(async (stop) => {
        const answer = await runWorkersAi(ai, {
          model,
          inputs: { messages, stream: true, max_tokens: ANSWER_MAX_TOKENS, temperature: ANSWER_TEMPERATURE },
          // Fails at once instead of waiting for capacity; questions about one video meet the same prefix cache.
          options: { rejectIfBusy: true, extraHeaders: { 'x-session-affinity': moduleId } },
          timeoutMs: ANSWER_TIMEOUT_MS,
          signal: stop,
          who: WHO,
        })
        if (answer instanceof ReadableStream) return answer as ReadableStream<Uint8Array>
        throw new AppError('ai_failed', `${WHO} gave an answer that is no stream.`)
      }, signal),
  }
}
