import { STEP_RULES } from '#contract/limits.ts'
import type { StepDraft } from '#worker/ports/step-writer.ts'

/** Consecutive segments that make one step, and the draft that asked for them. */
export interface StepRange {
  /** Index of the first segment. */
  from: number
  /** Index after the last segment. */
  to: number
  /** Null where no draft spoke for the segments. */
  draft: StepDraft | null
}

/** Shortest step, in milliseconds. */
export const MIN_STEP_MS = STEP_RULES.minDurationS * 1_000
/** One second under the limit, so that a step stays legal when an editor rounds both of its ends to whole seconds. */
export const MAX_STEP_MS = (STEP_RULES.maxDurationS - 1) * 1_000
