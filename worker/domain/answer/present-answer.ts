import type { AnswerTranslation, TrainerAnswer } from '#contract/feedback/questions.ts'
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

/** Presents an answer for learners. @param steps as they read them in the original @param shown the same in their language */
export async function presentAnswer(
  {
    id,
    question,
    text,
    stepId,
    stepsHash,
    answeredAt,
    translation = null,
  }: PrintedAnswer & { translation?: AnswerTranslation | null },
  steps: readonly AnsweredStep[],
  shown: readonly Pick<AnsweredStep, 'id' | 'title'>[] = steps,
): Promise<TrainerAnswer> {
  const step = steps.find((each) => each.id === stepId)
  const title = shown.find((each) => each.id === stepId)?.title ?? step?.title ?? ''
  return {
    id,
    question,
    text,
    step: step === undefined ? null : { id: step.id, title, start: step.start },
    answeredAt: toIso(answeredAt),
    isEarlier: (await hashSteps(steps, stepId)) !== stepsHash,
    translation,
  }
}
