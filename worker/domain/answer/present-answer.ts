import type { TrainerAnswer } from '#contract/feedback/questions.ts'
import type { Step } from '#contract/step.ts'
import type { PrintedAnswer } from '#contract/version.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'

/** What an answer may be about. */
type AnsweredStep = Pick<Step, 'id' | 'title' | 'description' | 'start'>

const HASH_BYTES = 12

/**
 * Hashes what an answer was given for: what its step says, or what all of them do where it points at none.
 * @param steps as learners read them
 */
export function hashSteps(steps: readonly AnsweredStep[], stepId: string | null): Promise<string> {
  const meant = stepId === null ? steps : steps.filter(({ id }) => id === stepId)
  return hashText(JSON.stringify(meant.map(({ title, description }) => [title, description])), HASH_BYTES)
}

/** Presents an answer for learners. @param steps as they read them */
export async function presentAnswer(
  { id, question, text, stepId, stepsHash, answeredAt }: PrintedAnswer,
  steps: readonly AnsweredStep[],
): Promise<TrainerAnswer> {
  const step = steps.find((each) => each.id === stepId)
  return {
    id,
    question,
    text,
    step: step === undefined ? null : { id: step.id, title: step.title, start: step.start },
    answeredAt: toIso(answeredAt),
    isEarlier: (await hashSteps(steps, stepId)) !== stepsHash,
  }
}
