import { z } from 'zod'
import { type ChatMessage, repairStepsPrompt, writeStepsPrompt } from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { SaidSegment, StepDraft, StepWindow } from '#worker/ports/language-model.ts'

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

/** Sends a conversation to a model; its answer is text, or the JSON as an object. */
export type Ask = (messages: ChatMessage[]) => Promise<unknown>

/** How much of a bad answer goes back to the model; it only has to see what it did. */
const SHOWN_ANSWER_CHARS = 6_000

function asText(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')
  return text === '' ? '(empty)' : text.slice(0, SHOWN_ANSWER_CHARS)
}

/**
 * Asks a model for the steps of a window; shows it once what is wrong with an answer that cannot be used.
 * @throws {AppError} `ai_failed` when the second answer cannot be used either
 */
export async function askForSteps(window: StepWindow, ask: Ask): Promise<StepDraft[]> {
  const messages = writeStepsPrompt(window)
  const answer = await ask(messages)
  const read = readSteps(answer, window.segments)
  if ('drafts' in read) return read.drafts
  const repaired = readSteps(
    await ask([...messages, ...repairStepsPrompt(asText(answer), read.complaint)]),
    window.segments,
  )
  if ('drafts' in repaired) return repaired.drafts
  throw new AppError('ai_failed', `The language model gave no usable steps: ${repaired.complaint}.`)
}

/** The client waits no longer for a rewritten text: the server's own deadline for it is nine seconds. */
export const REWRITE_TIMEOUT_MS = 9_000
/** What the fastest of the models writes in that time (some 150 tokens a second); a longer answer comes too late. */
export const REWRITE_MAX_TOKENS = 1_400
