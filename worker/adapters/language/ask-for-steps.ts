import { type ChatMessage, repairStepsPrompt, writeStepsPrompt } from '#worker/domain/step/prompts/write-steps.v2.ts'
import { AppError } from '#worker/errors.ts'
import type { StepDraft, StepWindow } from '#worker/ports/step-writer.ts'
import { readSteps } from './read-steps.ts'

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
