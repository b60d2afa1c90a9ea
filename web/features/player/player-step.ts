/** A step as the player shows it. Seconds. */
export interface PlayerStep {
  id: string
  title: string
  start: number
  end: number
  chapter?: string | null
  /** What is seen in it. */
  imageUrl?: string | undefined
}

/** A seek lands up to a frame before its target. */
const SEEK_SLACK_S = 0.1
/** Who is further into a step goes back to its beginning first, as chapters do everywhere. */
const RESTART_AFTER_S = 3
/** Speech begins a little after the video; a gap this short is no time before the first step. */
const FIRST_BEGINS_S = 1
/** A pause this much before the next step still shows the one that has just ended. */
const BEFORE_NEXT_S = 0.15

/** Index of the step that a moment belongs to: the one that started last; -1 before the first. */
export function findStepIndex(steps: readonly PlayerStep[], seconds: number): number {
  return steps.findLastIndex((step) => step.start <= seconds + SEEK_SLACK_S)
}

/** Where "next step" leads; null after the last. */
export function findNextStart(steps: readonly PlayerStep[], seconds: number): number | null {
  const next = findStepIndex(steps, seconds) + 1
  const isAsGoodAsIn = next === 0 && (steps[0]?.start ?? 0) < seconds + FIRST_BEGINS_S
  return steps[isAsGoodAsIn ? 1 : next]?.start ?? null
}

/** Where "previous step" leads; null before the first. */
export function findPreviousStart(steps: readonly PlayerStep[], seconds: number): number | null {
  const index = findStepIndex(steps, seconds)
  const current = steps[index]
  if (current === undefined) return null
  if (seconds > current.start + RESTART_AFTER_S) return current.start
  return steps[index - 1]?.start ?? current.start
}

/** The last moment of a step: its end, or before the next one begins, and before the video ends. */
export function findStepEnd(steps: readonly PlayerStep[], index: number, durationS: number): number {
  const step = steps[index]
  const next = steps[index + 1]?.start ?? Number.POSITIVE_INFINITY
  if (step === undefined) return durationS
  const latest = Math.min(next, durationS || Number.POSITIVE_INFINITY)
  const end = Math.min(step.end > step.start ? step.end : next, latest)
  // Before a pause, its last word is played whole.
  const isApart = Number.isFinite(latest) && latest - end >= BEFORE_NEXT_S
  return Math.max(step.start, isApart ? end : end - BEFORE_NEXT_S)
}
