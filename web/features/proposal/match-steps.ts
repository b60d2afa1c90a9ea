import type { Step } from '#contract/step.ts'

type Timed = Pick<Step, 'start' | 'end'>

/** How much of the shorter of two steps the other one covers, 0–1. */
function overlapOf(one: Timed, other: Timed): number {
  const commonS = Math.min(one.end, other.end) - Math.max(one.start, other.start)
  const shorterS = Math.min(one.end - one.start, other.end - other.start)
  return shorterS <= 0 ? 0 : commonS / shorterS
}

/** Two steps are about the same moment when at least half of the shorter one is inside the other. */
const SAME_MOMENT_MIN = 0.5

/** The steps that stand where a proposed one would. */
export function findCounterparts<Each extends Timed>(proposed: Timed, steps: readonly Each[]): Each[] {
  return steps.filter((step) => overlapOf(proposed, step) >= SAME_MOMENT_MIN)
}

/** A second is what people see of a time. */
function isSameSecond(one: number, other: number): boolean {
  return Math.floor(one) === Math.floor(other)
}

/** Whether a proposal would change nothing that can be seen. */
export function isSameStep(one: Step, other: Step): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    isSameSecond(one.start, other.start) &&
    isSameSecond(one.end, other.end)
  )
}
