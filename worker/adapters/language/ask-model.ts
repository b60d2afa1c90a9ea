import { z } from 'zod'
import { rewritePrompt } from '#worker/domain/rewrite/prompts/rewrite.v1.ts'
import {
  repairStepsPrompt,
  WRITE_STEPS_MAX_TOKENS,
  WRITE_STEPS_SCHEMA,
  writeStepsPrompt,
} from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { ChatMessage, SaidSegment, StepDraft, StepWriter, TextRewriter } from '#worker/ports/language-model.ts'

/** Who is asked, for messages. */
export const WHO = 'The language model'
/** The same question shall give the same answer; exactly 0 makes some models repeat themselves. */
export const TEMPERATURE = 0.1

/** The text of an answer, whole or in pieces. */
export const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string().catch('') })).transform((pieces) => pieces.map(({ text }) => text).join('')),
])

/** What a model is asked, however it is called. */
export interface ChatRequest {
  messages: readonly ChatMessage[]
  maxTokens: number
  /** JSON schema of the answer; left out where it is plain text. */
  schema?: object
  timeoutMs: number
  signal: AbortSignal
}

/** A language model behind one kind of interface. Both calls throw {@link AppError}s of the port. */
export interface ChatModel {
  /** For logs: engine and model. */
  name: string
  /** Resolves with the text of the answer, or with its JSON as an object. */
  ask: (request: ChatRequest) => Promise<unknown>
  /**
   * Resolves with the answer as the server-sent events of its tokens. The signal ends it also later.
   * @param moduleId of which video; its questions begin alike
   */
  stream: (request: ChatRequest, moduleId: string) => Promise<ReadableStream<Uint8Array>>
}

/** Far above what a sane answer has; what is over it is refused rather than cut, since the rest is then no better. */
const MAX_STEPS = 200
const TITLE_MAX_CHARS = 300
const DESCRIPTION_MAX_CHARS = 2_000

const lineNumber = z.coerce.number().int()
const StepsFromModel = z.object({
  // A model that leaves it out, or says it in other words, has still cut the section.
  continues: z.boolean().catch(false),
  steps: z
    .array(
      z.object({
        first: lineNumber,
        last: lineNumber,
        title: z.string().trim().min(1).max(TITLE_MAX_CHARS),
        description: z.string().trim().max(DESCRIPTION_MAX_CHARS).default(''),
      }),
    )
    .min(1)
    .max(MAX_STEPS),
})
type StepFromModel = z.infer<typeof StepsFromModel>['steps'][number]

/** The drafts of an answer, or what is wrong with it, in words that the model can act on. */
export type ReadSteps = { drafts: StepDraft[] } | { complaint: string }

/** Finds the JSON in what a model says: after its thoughts, in a fence, or between other words. */
function parseJson(text: string): unknown {
  const said = text.replace(/^[\s\S]*<\/think>/, '')
  const from = said.search(/[[{]/)
  const to = Math.max(said.lastIndexOf('}'), said.lastIndexOf(']'))
  return JSON.parse(said.slice(Math.max(0, from), to + 1)) as unknown
}

function toValue(answer: unknown): unknown {
  const value = typeof answer === 'string' ? parseJson(answer) : answer
  return Array.isArray(value) ? { steps: value } : value
}

function complainAboutLines(steps: StepFromModel[], lineCount: number): string | null {
  const at = steps.findIndex(({ first, last }) => first < 1 || last > lineCount || first > last)
  const step = steps[at]
  if (step === undefined) return null
  return `step ${at + 1} goes from line ${step.first} to ${step.last}, but lines go from 1 to ${lineCount}`
}

/**
 * Reads the answer of a model, given as text or as an object.
 * @param segments the window's, in the order in which they were numbered
 */
export function readSteps(answer: unknown, segments: SaidSegment[]): ReadSteps {
  let value: unknown
  try {
    value = toValue(answer)
  } catch (error) {
    return { complaint: `it is not complete JSON (${error instanceof Error ? error.message : 'unreadable'})` }
  }
  const parsed = StepsFromModel.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { complaint: `${issue?.path.join('.') || 'the answer'}: ${issue?.message}` }
  }
  const { steps, continues } = parsed.data
  const complaint = complainAboutLines(steps, segments.length)
  if (complaint !== null) return { complaint }
  const firstLine = Math.min(...steps.map((step) => step.first))
  return {
    drafts: steps.map(({ first, last, title, description }) => ({
      segmentIds: segments.slice(first - 1, last).map((segment) => segment.id),
      title,
      description,
      ...(continues && first === firstLine && { continues }),
    })),
  }
}

/** How much of a bad answer goes back to the model; it only has to see what it did. */
const SHOWN_ANSWER_CHARS = 6_000

function asText(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')
  return text === '' ? '(empty)' : text.slice(0, SHOWN_ANSWER_CHARS)
}

/** A full answer of 2,048 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const STEPS_TIMEOUT_MS = 90_000

/** Step writing by a model. It is shown once what is wrong with an answer that cannot be used. */
export function makeStepWriter({ name, ask }: ChatModel, timeoutMs = STEPS_TIMEOUT_MS): StepWriter {
  return {
    name,
    async writeSteps(window, signal) {
      const how = { maxTokens: WRITE_STEPS_MAX_TOKENS, schema: WRITE_STEPS_SCHEMA, timeoutMs, signal }
      const messages = writeStepsPrompt(window)
      const answer = await ask({ ...how, messages })
      const read = readSteps(answer, window.segments)
      if ('drafts' in read) return read.drafts
      const repair = [...messages, ...repairStepsPrompt(asText(answer), read.complaint)]
      const repaired = readSteps(await ask({ ...how, messages: repair }), window.segments)
      if ('drafts' in repaired) return repaired.drafts
      throw new AppError('ai_failed', `${WHO} gave no usable steps: ${repaired.complaint}.`)
    },
  }
}

/** The client waits no longer for a rewritten text: the server's own deadline for it is nine seconds. */
const REWRITE_TIMEOUT_MS = 9_000
/** What the fastest of the models writes in that time (some 150 tokens a second); a longer answer comes too late. */
const REWRITE_MAX_TOKENS = 1_400

/** Rewriting by a model. */
export function makeTextRewriter({ name, ask }: ChatModel): TextRewriter {
  return {
    name,
    async rewrite(task, signal) {
      const how = { maxTokens: REWRITE_MAX_TOKENS, timeoutMs: REWRITE_TIMEOUT_MS, signal }
      const answer = await ask({ ...how, messages: rewritePrompt(task) })
      if (typeof answer !== 'string') throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
      return answer
    },
  }
}
