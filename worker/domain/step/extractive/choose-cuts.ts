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

interface CutPlan {
  /** For each sentence, the start of the segment at which a step that opens with it would begin. */
  startsMs: readonly number[]
  endMs: number
  /** Log odds that a step begins at each sentence. */
  scores: readonly number[]
  /** How many steps there should be, about. */
  stepCount: number
}

/**
 * Chooses where steps begin: the sentences that maximize boundary scores plus a log-normal prior on step lengths,
 * found exactly by dynamic programming (after Utiyama & Isahara 2001). Each cut costs a price that is searched for so
 * that about `stepCount` steps result: scores of different speakers compare badly, so no fixed threshold fits.
 * @returns sentence indices in order, never 0
 */
export function chooseCuts(plan: CutPlan): number[] {
  let cheap = -MAX_PRICE
  let dear = MAX_PRICE
  let best: number[] = []
  for (let search = 0; search < PRICE_SEARCHES; search += 1) {
    const price = (cheap + dear) / 2
    const cuts = cutAtPrice(plan, price)
    const missing = plan.stepCount - 1 - cuts.length
    if (Math.abs(missing) < Math.abs(plan.stepCount - 1 - best.length)) best = cuts
    if (missing > 0) dear = price
    else cheap = price
  }
  return best
}

function cutAtPrice({ startsMs, endMs, scores, stepCount }: CutPlan, price: number): number[] {
  const bounds = [...startsMs, endMs]
  const usualMs = (endMs - (startsMs[0] ?? 0)) / Math.max(1, stepCount)
  const minMs = Math.max(MIN_STEP_MS, Math.min(NEAR_MS, usualMs * MIN_SHARE))
  const best: number[] = [0]
  const cameFrom: number[] = [-1]
  for (let to = 1; to < bounds.length; to += 1) {
    let top = Number.NEGATIVE_INFINITY
    let from = 0
    for (let start = 0; start < to; start += 1) {
      const lengthMs = (bounds[to] ?? 0) - (bounds[start] ?? 0)
      if (lengthMs < minMs) break
      const value = (best[start] ?? 0) - lengthPenalty(lengthMs, usualMs)
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
