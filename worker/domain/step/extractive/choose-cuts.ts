import { STEP_RULES } from '#contract/limits.ts'

/** How far step lengths spread around the usual one: standard deviation of log length in the benchmark's own marks. */
const LENGTH_SPREAD = 0.65
/** How much the length of a step counts against what is said at its start; chosen by cross-validation. */
const LENGTH_WEIGHT = 0.25
/** Two marks nearer than this are one to a viewer, unless the usual step is not much longer. */
const NEAR_MS = 8_000
/** The part of the usual length that a short step of a busy clip may have. */
const MIN_SHARE = 0.5
/** The shortest legal step. */
const MIN_STEP_MS = STEP_RULES.minDurationS * 1_000
/** Halvings of the search for the price of a cut; the last step is a thirtieth of a log unit. */
const PRICE_SEARCHES = 10
const MAX_PRICE = 16

/**
 * What a cut costs with most speakers: the mean over the groups of the benchmark of what whole recordings need to fall
 * into the usual number of steps (-1.4, with a deviation of 0.3).
 */
const USUAL_PRICE = -1.4
/** This many transcribed steps make their number as reliable as the usual price; chosen on the benchmark. */
const TRUSTED_STEPS = { whileOpen: 8, whole: 2 }
/** On average half of the step that is unfinished at the end has been transcribed. */
const ONGOING_SHARE = 0.5

interface CutPlan {
  /** For each sentence, the start of the segment at which a step that opens with it would begin. */
  startsMs: readonly number[]
  endMs: number
  /** Log odds that a step begins at each sentence. */
  scores: readonly number[]
  /** How long a step usually lasts. */
  usualMs: number
  /** The scores are log odds of the usual kind, so that the usual price means something. */
  isComparable: boolean
  /** The narration continues after `endMs`, and the last step with it. */
  isOpen: boolean
}

/**
 * Chooses where steps begin: the sentences that maximize boundary scores plus a log-normal prior on step lengths,
 * found exactly by dynamic programming (after Utiyama & Isahara 2001). Each cut costs a price, for which about the
 * usual number of steps results: scores of different speakers compare badly, so the longer the transcript, the less
 * the price is the usual one.
 * @returns sentence indices in order, never 0
 */
export function chooseCuts(plan: CutPlan): number[] {
  const steps = (plan.endMs - (plan.startsMs[0] ?? 0)) / plan.usualMs
  const cuts = Math.max(0, steps - (plan.isOpen ? ONGOING_SHARE : 1))
  if (!plan.isComparable) return cutAtPrice(plan, findPrice(plan, Math.round(cuts)))
  const doubt = plan.isOpen ? TRUSTED_STEPS.whileOpen : TRUSTED_STEPS.whole
  const price = (steps * findPrice(plan, cuts) + doubt * USUAL_PRICE) / (steps + doubt)
  return cutAtPrice(plan, price)
}

/** The highest price at which there are still so many cuts. */
function findPrice(plan: CutPlan, cuts: number): number {
  let cheap = -MAX_PRICE
  let dear = MAX_PRICE
  for (let search = 0; search < PRICE_SEARCHES; search += 1) {
    const price = (cheap + dear) / 2
    if (cutAtPrice(plan, price).length < cuts) dear = price
    else cheap = price
  }
  return cheap
}

function cutAtPrice({ startsMs, endMs, scores, usualMs, isOpen }: CutPlan, price: number): number[] {
  const bounds = [...startsMs, endMs]
  const minMs = Math.max(MIN_STEP_MS, Math.min(NEAR_MS, usualMs * MIN_SHARE))
  const best: number[] = [0]
  const cameFrom: number[] = [-1]
  for (let to = 1; to < bounds.length; to += 1) {
    let top = Number.NEGATIVE_INFINITY
    let from = 0
    for (let start = 0; start < to; start += 1) {
      const lengthMs = (bounds[to] ?? 0) - (bounds[start] ?? 0)
      if (lengthMs < minMs) break
      const isOngoing = isOpen && to === startsMs.length
      const value = (best[start] ?? 0) - lengthPenalty(isOngoing ? Math.max(lengthMs, usualMs) : lengthMs, usualMs)
      if (value > top) [top, from] = [value, start]
    }
    best.push(top + (scores[to] ?? 0) - price)
    cameFrom.push(from)
  }
  return walkBack(cameFrom)
}

function lengthPenalty(lengthMs: number, usualMs: number): number {
  return (LENGTH_WEIGHT * Math.log(lengthMs / usualMs) ** 2) / (2 * LENGTH_SPREAD ** 2)
}

function walkBack(cameFrom: readonly number[]): number[] {
  const cuts: number[] = []
  for (let at = cameFrom.at(-1) ?? 0; at > 0; at = cameFrom[at] ?? 0) cuts.push(at)
  return cuts.reverse()
}
