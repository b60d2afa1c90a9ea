import { STEP_RULES } from '#contract/limits.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'

/** Shortest step, in milliseconds. */
export const MIN_STEP_MS = STEP_RULES.minDurationS * 1_000
/** One second under the limit, so that a step stays legal when an editor rounds both of its ends to whole seconds. */
export const MAX_STEP_MS = (STEP_RULES.maxDurationS - 1) * 1_000

/** A step does not go on through a longer silence: it ends with its last word, and the next begins with its first. */
export const MAX_PAUSE_MS = 20_000

/** Checks whether a long pause lies before a segment. */
export function followsPause(boundary: number, segments: readonly SaidSegment[]): boolean {
  const [before, segment] = [segments[boundary - 1], segments[boundary]]
  return before !== undefined && segment !== undefined && segment.startMs - before.endMs > MAX_PAUSE_MS
}
