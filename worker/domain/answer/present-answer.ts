import type { TrainerAnswer } from '#contract/feedback/questions.ts'
import type { AnswerTranslation } from '#contract/share.ts'
import type { Step } from '#contract/step.ts'
import type { PrintedAnswer } from '#contract/version.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'

/** What an answer may be about. */
type AnsweredStep = Pick<Step, 'id' | 'title' | 'description' | 'start'>

const HASH_BYTES = 12

/** Where an answer is shown. */
type AnswerPlace = Pick<PrintedAnswer, 'stepId'> & { momentMs?: number | null }

/**
 * Hashes what an answer was given for: what its step says, or what all of them do where it points at none; with a moment
 * also how far into the step that is, since another video has it elsewhere.
 * @param steps as learners read them
 */
export function hashSteps(steps: readonly AnsweredStep[], { stepId, momentMs }: AnswerPlace): Promise<string> {
  const meant = stepId === null ? steps : steps.filter(({ id }) => id === stepId)
  const texts = meant.map(({ title, description }) => [title, description])
  if (momentMs == null) return hashText(JSON.stringify(texts), HASH_BYTES)
  const offsets = meant.map(({ start }) => momentMs - Math.round(start * 1_000))
  return hashText(JSON.stringify([texts, offsets]), HASH_BYTES)
}

/** Finds the step of a moment. @returns the step that is meant where there is no moment */
export function placeAnswer(
  steps: readonly AnsweredStep[],
  { stepId, moment }: { stepId?: string | null | undefined; moment?: number | null | undefined },
): Required<AnswerPlace> {
  if (moment == null) return { stepId: steps.find(({ id }) => id === stepId)?.id ?? null, momentMs: null }
  const inOrder = steps.toSorted((left, right) => left.start - right.start)
  const step = inOrder.findLast(({ start }) => start <= moment)
  return { stepId: step?.id ?? null, momentMs: Math.round(moment * 1_000) }
}

/**
 * Presents an answer for learners. A moment of before its steps changed may be of another video.
 * @param steps as they read them in the original
 * @param shown the same in their language
 */
export async function presentAnswer(
  {
    id,
    question,
    text,
    stepsHash,
    answeredAt,
    translation = null,
    ...place
  }: Omit<PrintedAnswer, 'momentMs'> & AnswerPlace & { translation?: AnswerTranslation | null },
  steps: readonly AnsweredStep[],
  shown: readonly Pick<AnsweredStep, 'id' | 'title'>[] = steps,
): Promise<TrainerAnswer> {
  const { stepId, momentMs } = place
  const step = steps.find((each) => each.id === stepId)
  const title = shown.find((each) => each.id === stepId)?.title
  const isEarlier = (await hashSteps(steps, place)) !== stepsHash
  return {
    id,
    question,
    text,
    step: step === undefined ? null : { id: step.id, title: title ?? step.title, start: step.start },
    start: momentMs == null || isEarlier ? (step?.start ?? null) : momentMs / 1_000,
    answeredAt: toIso(answeredAt),
    isEarlier,
    translation,
  }
}
