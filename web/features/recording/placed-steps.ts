import { NEW_STEP_LENGTH_S } from '#contract/limits.ts'
import type { AlignedStep, Recording, TakeRecording } from '#contract/training/recording.ts'

/** From here on a place is right in all but rare cases. */
const SURE_MIN = 0.6

/** How sure the place of a step in the new recording is. */
export type Surety = 'sure' | 'unsure' | 'missing'

export function suretyOf({ proposed }: AlignedStep): Surety {
  if (proposed === null) return 'missing'
  return proposed.confidence >= SURE_MIN ? 'sure' : 'unsure'
}

/**
 * The kept steps with their times in the new recording. One that was not found in it comes right behind the one before,
 * where a person finds it and sets its time.
 */
export function placeSteps(
  { steps, durationS }: Pick<Recording, 'steps' | 'durationS'>,
  keptIds: ReadonlySet<string>,
): TakeRecording['steps'] {
  const lastS = durationS ?? Number.POSITIVE_INFINITY
  let behindS = 0
  return steps.flatMap(({ id, proposed }) => {
    if (!keptIds.has(id)) return []
    const start = proposed?.start ?? Math.max(0, Math.min(behindS, lastS - NEW_STEP_LENGTH_S))
    const end = proposed?.end ?? Math.min(lastS, start + NEW_STEP_LENGTH_S)
    behindS = end
    return [{ id, start, end }]
  })
}
