import { judgeStep, type StepSpan } from '#contract/step-progress.ts'
import { type TimeRanges, toWholeSeconds, unite } from '#contract/time/time-ranges.ts'
import { type Cuts, percentOfShown } from '#contract/time/visible-time.ts'
import { keepStored, parseStored } from '#web/lib/browser-state.ts'

/** What a learner is shown of their way through a module. */
export interface Learned {
  /** Whole seconds that were seen. */
  seen: TimeRanges
  /** Said by the server, which knows how much is enough. */
  isCompleted: boolean
}

export const NOTHING_LEARNED: Learned = { seen: [], isCompleted: false }

/** Share of what is shown that was seen, 0–100, rounded down; null while the length of the video is not known. */
export function percentOf({ seen }: Learned, durationS: number | null, cuts: Cuts = []): number | null {
  return durationS === null ? null : percentOfShown(seen, { durationS, cuts })
}

export function isStepFinished({ seen }: Learned, step: StepSpan, cuts: Cuts = []): boolean {
  return judgeStep(step, { once: seen, again: [] }, toWholeSeconds(cuts, step.end)).isFinished
}

/** Whose progress with what. */
export interface LearnedPlace {
  who: string
  moduleId: string
}

const keyOf = ({ who, moduleId }: LearnedPlace) => `adapt_learned:${who}:${moduleId}`

/** What this browser remembers, so that it shows before the server answers, and without it. */
export function readLearned(place: LearnedPlace): Learned {
  const stored = parseStored(keyOf(place)) as Partial<Learned> | null
  const isWhole = Array.isArray(stored?.seen) && stored.seen.every((range) => range?.length === 2)
  return isWhole ? { seen: stored.seen ?? [], isCompleted: stored.isCompleted === true } : NOTHING_LEARNED
}

/** Forgets what this browser remembers of a learner: it has become an account's. */
export function forgetLearned(place: LearnedPlace): void {
  keepStored(keyOf(place), null)
}

/**
 * Remembers what was seen, together with what another tab has added.
 * @param isCompleted null where the server has said nothing new
 * @returns both together
 */
export function keepLearned(
  place: LearnedPlace,
  { before, seen, isCompleted }: { before: Learned; seen: TimeRanges; isCompleted: boolean | null },
): Learned {
  const stored = readLearned(place)
  const all = {
    seen: unite(unite(stored.seen, before.seen), seen),
    isCompleted: isCompleted ?? (stored.isCompleted || before.isCompleted),
  }
  keepStored(keyOf(place), JSON.stringify(all))
  return all
}
