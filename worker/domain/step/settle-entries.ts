import type { Outlined } from './outlined.ts'
import type { StepToStore } from './tidy-section.ts'

/** An entry this near to where a step begins means it: a model names lines a little beside what it means. */
const REACH_MS = 10_000
/** The reach into a short step, or none could be divided. */
const REACH_SHARE = 1 / 3
/**
 * Log odds that a step begins with a segment, below which an entry inside of a step is none: neither the section's
 * answer nor the signs in what is said speak for it.
 */
const ENTRY_ODDS_MIN = -2.5

/**
 * Weighs where a model wants entries of a list against where the steps begin that were written section by section, and
 * against what is said: an entry close to the beginning of a step begins with it, unless another one does, and any other
 * inside of a step has to have signs of a beginning. The first entry stays, which leaves out a greeting.
 * @param entries in the order of the steps
 * @param steps in time order
 * @param oddsOf log odds that a step begins with a segment
 */
export function settleEntries(
  entries: readonly Outlined[],
  steps: readonly StepToStore[],
  oddsOf: (segmentId: string) => number,
): Outlined[] {
  const begunIds = new Set(entries.flatMap(({ id, inside }) => (inside === undefined ? [id] : [])))
  return entries.flatMap((entry, order) => {
    const { inside, ...atStart } = entry
    if (inside === undefined || order === 0) return [entry]
    const near = findNearStep(entry.id, inside.startMs, steps)
    if (near !== null && !begunIds.has(near.id)) {
      begunIds.add(near.id)
      return [{ ...atStart, id: near.id }]
    }
    return oddsOf(inside.segmentId) < ENTRY_ODDS_MIN ? [] : [entry]
  })
}

/** The step that begins close to a moment in a step: itself or the next one; null where neither does. */
function findNearStep(id: string, atMs: number, steps: readonly StepToStore[]): StepToStore | null {
  const index = steps.findIndex((each) => each.id === id)
  const [step, next] = [steps[index], steps[index + 1]]
  if (step === undefined) return null
  const reachMs = Math.min(REACH_MS, (step.endMs - step.startMs) * REACH_SHARE)
  if (next !== undefined && next.startMs - atMs <= reachMs) return next
  return atMs - step.startMs <= reachMs ? step : null
}
