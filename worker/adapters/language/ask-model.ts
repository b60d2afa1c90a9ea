import { z } from 'zod'
import { Callout } from '#contract/step.ts'
import { AppError } from '#worker/core/errors.ts'
import { rewritePrompt } from '#worker/domain/rewrite/prompts/rewrite.v1.ts'
import {
  CHAPTERS_SCHEMA,
  countLines,
  OUTLINE_MAX_TOKENS,
  OUTLINE_SCHEMA,
  outlinePrompt,
} from '#worker/domain/step/prompts/outline-steps.v2.ts'
import {
  repairStepsPrompt,
  WRITE_STEPS_MAX_TOKENS,
  WRITE_STEPS_SCHEMA,
  writeStepsPrompt,
} from '#worker/domain/step/prompts/write-steps.v5.ts'
import type {
  CallMeter,
  ModelRequest,
  OutlineEntry,
  SaidSegment,
  StepDraft,
  StepWindow,
  StepWriter,
  TextRewriter,
  Tokens,
} from '#worker/ports/language-model.ts'

/** The name of the service in error messages. */
export const WHO = 'The language model'
/** The same question shall give the same answer; exactly 0 makes some models repeat themselves. */
export const TEMPERATURE = 0.1

/** The text of an answer, whole or in pieces. */
export const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string().catch('') })).transform((pieces) => pieces.map(({ text }) => text).join('')),
])

/** A request to a language model, independent of its API. */
export interface ChatRequest extends ModelRequest {
  /** JSON schema of the answer; left out where it is plain text. */
  schema?: object
  timeoutMs: number
  signal: AbortSignal
  /** Receives the token usage of the call, where the model reports it. */
  onUsage?: (used: Tokens) => void
}

/** What models report, in the dialects of Workers AI and of OpenAI. A prompt is never empty: none of 0 tokens was counted. */
const Usage = z.object({ prompt_tokens: z.number().min(1), completion_tokens: z.number().min(0) })

/** Reports the token usage that an answer, or an event of a stream, has. */
export function reportUsage(answer: unknown, onUsage: ChatRequest['onUsage']): void {
  const { data } = z.object({ usage: Usage }).safeParse(answer)
  if (data !== undefined) onUsage?.({ in: data.usage.prompt_tokens, out: data.usage.completion_tokens })
}

/** Books a call, makes it, and corrects the booking by what the model reports. */
export async function askBooked(
  ask: ChatModel['ask'],
  request: ChatRequest,
  meter: CallMeter | undefined,
): Promise<unknown> {
  if (meter === undefined) return ask(request)
  const booked = await meter.book(request)
  let used: Tokens | null = null
  const onUsage = (tokens: Tokens) => {
    used = tokens
  }
  try {
    const answer = await ask({ ...request, onUsage })
    await booked.settle(used)
    return answer
  } catch (error) {
    await booked.fail(error)
    throw error
  }
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

/** Far above a sensible answer. A longer answer is refused rather than cut: its beginning is no better than its end. */
const MAX_STEPS = 200
const TITLE_MAX_CHARS = 300
const DESCRIPTION_MAX_CHARS = 2_000
const NOTE_MAX_CHARS = 2_000

const lineNumber = z.coerce.number().int()
/** Optional fields fall back, so that a bad one does not reject the section boundaries. */
const StepsFromModel = z.object({
  continues: z.boolean().catch(false),
  steps: z
    .array(
      z.object({
        first: lineNumber,
        last: lineNumber,
        title: z.string().trim().min(1).max(TITLE_MAX_CHARS),
        description: z.string().trim().max(DESCRIPTION_MAX_CHARS).default(''),
        note: z.string().trim().max(NOTE_MAX_CHARS).catch(''),
      }),
    )
    .min(1)
    .max(MAX_STEPS),
  callouts: z
    .array(Callout.extend({ line: lineNumber }))
    .max(MAX_STEPS)
    .optional()
    .catch([]),
})
type StepFromModel = z.infer<typeof StepsFromModel>['steps'][number]

const EntryFromModel = z
  .object({
    first: lineNumber,
    title: z.string().trim().min(1).max(TITLE_MAX_CHARS),
    // An entry without a usable chapter belongs to the chapter before.
    chapter: z.string().trim().max(TITLE_MAX_CHARS).catch(''),
  })
  .transform(({ chapter, ...entry }): OutlineEntry => (chapter === '' ? entry : { ...entry, chapter }))

const OutlineFromModel = z.object({ entries: z.array(EntryFromModel).min(1).max(MAX_STEPS) })

/** What is wrong with an answer, in words that the model can act on. */
interface Unusable {
  complaint: string
}

/** The drafts of an answer, or what is wrong with it. */
export type ReadSteps = { drafts: StepDraft[] } | Unusable
/** The entries of an outline, or what is wrong with it. */
export type ReadOutline = { entries: OutlineEntry[] } | Unusable

/** Finds the JSON in what a model says: after its thoughts, in a fence, or between other words. */
function parseJson(text: string): unknown {
  const withoutThoughts = text.replace(/^[\s\S]*<\/think>/, '')
  const from = withoutThoughts.search(/[[{]/)
  const to = Math.max(withoutThoughts.lastIndexOf('}'), withoutThoughts.lastIndexOf(']'))
  return JSON.parse(withoutThoughts.slice(Math.max(0, from), to + 1)) as unknown
}

/** Reads the JSON of an answer, given as text or as an object; undefined where there is none. */
export function readJson(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  try {
    return parseJson(answer)
  } catch {
    // An answer that was cut off, or no JSON at all: its caller says that it cannot be used.
    return undefined
  }
}

/** Reads an answer of a model, given as text, as an object, or as the bare list that the object would have. */
function parseAnswer<T>(answer: unknown, schema: z.ZodType<T>, listName: string): { parsed: T } | Unusable {
  let value: unknown
  try {
    value = typeof answer === 'string' ? parseJson(answer) : answer
  } catch (error) {
    return { complaint: `it is not complete JSON (${error instanceof Error ? error.message : 'unreadable'})` }
  }
  const result = schema.safeParse(Array.isArray(value) ? { [listName]: value } : value)
  if (result.success) return { parsed: result.data }
  const [issue] = result.error.issues
  return { complaint: `${issue?.path.join('.') || 'the answer'}: ${issue?.message}` }
}

function complainAboutLines(steps: StepFromModel[], lineCount: number): string | null {
  const wrongIndex = steps.findIndex(({ first, last }) => first < 1 || last > lineCount || first > last)
  const step = steps[wrongIndex]
  if (step === undefined) return null
  return `step ${wrongIndex + 1} goes from line ${step.first} to ${step.last}, but lines go from 1 to ${lineCount}`
}

/**
 * Reads the answer of a model, given as text or as an object.
 * @param segments the window's, in the order in which they were numbered
 */
export function readSteps(answer: unknown, segments: SaidSegment[]): ReadSteps {
  const read = parseAnswer(answer, StepsFromModel, 'steps')
  if ('complaint' in read) return read
  const { steps, continues, callouts } = read.parsed
  const complaint = complainAboutLines(steps, segments.length)
  if (complaint !== null) return { complaint }
  const firstLine = Math.min(...steps.map((step) => step.first))
  return {
    drafts: steps.map(({ first, last, title, description, note }) => ({
      segmentIds: segments.slice(first - 1, last).map((segment) => segment.id),
      title,
      description,
      ...(note !== '' && { notes: note }),
      ...(continues && first === firstLine && { continues }),
      ...(callouts && {
        callouts: callouts
          .filter(({ line }) => line >= first && line <= last)
          .map(({ line, kind, text }) => ({ kind, text, segmentId: segments[line - 1]?.id ?? '' })),
      }),
    })),
  }
}

/** Reads the outline of a video. @param lineCount of the lines, which are numbered from 1 */
export function readOutline(answer: unknown, lineCount: number): ReadOutline {
  const read = parseAnswer(answer, OutlineFromModel, 'entries')
  if ('complaint' in read) return read
  const { entries } = read.parsed
  const falling = entries.findIndex(
    ({ first }, index) => first <= (entries[index - 1]?.first ?? 0) || first > lineCount,
  )
  const entry = entries[falling]
  if (entry === undefined) return { entries }
  return {
    complaint: `entry ${falling + 1} begins at line ${entry.first}; lines go from 1 to ${lineCount}, and entries rise`,
  }
}

/** A bad answer is shown to the model up to this length, which is enough for it to see its mistake. */
const SHOWN_ANSWER_CHARS = 6_000

function asText(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')
  return text === '' ? '(empty)' : text.slice(0, SHOWN_ANSWER_CHARS)
}

/** A full answer of 2,560 tokens at the slowest speed that we plan for (30 tokens a second), with some room. */
const STEPS_TIMEOUT_MS = 90_000

/** A whole list waits for its outline, so it is not waited for as long as for steps: some fifty entries are written by then. */
const OUTLINE_TIMEOUT_MS = 40_000

/** Asks a model, and shows it once what is wrong with an answer that cannot be used. */
async function askTwice<Read extends object>(
  ask: ChatModel['ask'],
  request: ChatRequest,
  { read, meter }: { read: (answer: unknown) => Read | Unusable; meter: CallMeter | undefined },
): Promise<Read> {
  const answer = await askBooked(ask, request, meter)
  let result = read(answer)
  if ('complaint' in result) {
    const messages = [...request.messages, ...repairStepsPrompt(asText(answer), result.complaint)]
    result = read(await askBooked(ask, { ...request, messages }, meter))
  }
  if ('complaint' in result) throw new AppError('ai_failed', `${WHO} gave no usable steps: ${result.complaint}.`)
  return result
}

/** Step writing by a model. */
export function makeStepWriter({ name, ask }: ChatModel, timeoutMs = STEPS_TIMEOUT_MS): StepWriter {
  return {
    name,
    async writeSteps(window, signal, meter) {
      const how = { maxTokens: WRITE_STEPS_MAX_TOKENS, schema: WRITE_STEPS_SCHEMA, timeoutMs, signal }
      const read = (answer: unknown) => readSteps(answer, window.segments)
      const { drafts } = await askTwice(ask, { ...how, messages: writeStepsPrompt(window) }, { read, meter })
      return checkContinuation(drafts, window)
    },
    async outline(task, signal, meter) {
      const schema = task.hasChapters ? CHAPTERS_SCHEMA : OUTLINE_SCHEMA
      const how = { maxTokens: OUTLINE_MAX_TOKENS, schema, timeoutMs: OUTLINE_TIMEOUT_MS, signal }
      const read = (answer: unknown) => readOutline(answer, countLines(task.steps))
      const { entries } = await askTwice(ask, { ...how, messages: outlinePrompt(task) }, { read, meter })
      return entries
    },
  }
}

/**
 * Checks whether the first step continues the one before against the titles so far: nothing continues where nothing
 * was said before, and a step with the title of the last one is the same step.
 */
function checkContinuation(drafts: StepDraft[], { before, titles = [] }: StepWindow): StepDraft[] {
  const [first, ...others] = drafts
  if (first === undefined) return drafts
  const { continues = false, ...draft } = first
  const isSame = titles.at(-1)?.trim().toLowerCase() === draft.title.trim().toLowerCase()
  return before.length > 0 && (continues || isSame) ? [{ ...draft, continues: true }, ...others] : [draft, ...others]
}

/** The client waits no longer for a rewritten text: the server's own deadline for it is nine seconds. */
const REWRITE_TIMEOUT_MS = 9_000
/** What the fastest of the models writes in that time (some 150 tokens a second); a longer answer comes too late. */
const REWRITE_MAX_TOKENS = 1_400

/** Rewriting by a model. */
export function makeTextRewriter({ name, ask }: ChatModel): TextRewriter {
  return {
    name,
    async rewrite(task, signal, meter) {
      const how = { maxTokens: REWRITE_MAX_TOKENS, timeoutMs: REWRITE_TIMEOUT_MS, signal }
      const answer = await askBooked(ask, { ...how, messages: rewritePrompt(task) }, meter)
      if (typeof answer !== 'string') throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
      return answer
    },
  }
}
