import { type CountSteps, uncounted } from '#worker/domain/count-steps.ts'
import { MIN_STEP_MS } from './step-times.ts'

/** How far step lengths spread around the usual one: standard deviation of log length in the benchmark's own marks. */
const LENGTH_SPREAD = 0.65
/** How much the length of a step counts against what is said at its start; chosen by cross-validation. */
const LENGTH_WEIGHT = 0.25
const LENGTH_PENALTY = LENGTH_WEIGHT / (2 * LENGTH_SPREAD ** 2)
/** Two marks nearer than this are one to a viewer, unless the usual step is not much longer. */
const NEAR_MS = 8_000
/** The part of the usual length that a short step of a busy clip may have. */
const MIN_SHARE = 0.5
/** Halvings of the search for the price of a cut; the last step is a thirtieth of a log unit. */
const PRICE_SEARCHES = 10
const MAX_PRICE = 16
/** Starts that are compared for one end of a step; the recordings of the benchmark need 16. */
const MAX_STARTS = 24

/**
 * What a cut costs with most speakers: the mean over the groups of the benchmark of what whole recordings need to fall
 * into the usual number of steps (-1.4, with a deviation of 0.3).
 */
const USUAL_PRICE = -1.4
/** This many transcribed steps make their number as reliable as the usual price; chosen on the benchmark. */
const TRUSTED_STEPS = { whileOpen: 8, whole: 2 }
/** On average half of the step that is unfinished at the end has been transcribed. */
const ONGOING_SHARE = 0.5

/** What is known of a narration before its cuts are chosen. */
export interface CutPlan {
  /** Start of the segment at which each sentence would open a step, in time order. */
  startsMs: readonly number[]
  endMs: number
  /** The narration continues after `endMs`. */
  isOpen: boolean
  /** Log odds that a step begins at each sentence. */
  scores: readonly number[]
  /** How long a step usually lasts. */
  usualMs: number
  /** The scores are log odds of the usual kind, so that the usual price means something. */
  isComparable: boolean
}

/**
 * Chooses where steps begin: the sentences that maximize boundary scores plus a log-normal prior on step lengths,
 * found by dynamic programming (after Utiyama & Isahara 2001). Each cut costs a price, for which about the usual number
 * of steps results: scores of different speakers compare badly, so the longer the transcript, the less the price is the
 * usual one.
 * @param count counts the pairs of a start and an end that are compared
 * @returns sentence indices in order, never 0
 */
export function chooseCuts(whole: CutPlan, count: CountSteps = uncounted): number[] {
  const indices = listBestOfMoments(whole)
  const pick = (values: readonly number[]) => indices.map((index) => values[index] ?? 0)
  const plan = { ...whole, startsMs: pick(whole.startsMs), scores: pick(whole.scores) }
  return chooseMoments(plan, count).map((cut) => indices[cut] ?? 0)
}

/** Of sentences that would open a step at one moment, none but the best can be chosen; at the start, the first. */
function listBestOfMoments({ startsMs, scores }: CutPlan): number[] {
  const best: number[] = []
  startsMs.forEach((startMs, index) => {
    const last = best.at(-1)
    if (last === undefined || startsMs[last] !== startMs) best.push(index)
    else if (last > 0 && (scores[index] ?? 0) > (scores[last] ?? 0)) best[best.length - 1] = index
  })
  return best
}

function chooseMoments(plan: CutPlan, count: CountSteps): number[] {
  const steps = (plan.endMs - (plan.startsMs[0] ?? 0)) / plan.usualMs
  const cuts = Math.max(0, steps - (plan.isOpen ? ONGOING_SHARE : 1))
  if (!plan.isComparable) return cutAtPrice(plan, findPrice(plan, Math.round(cuts), count), count)
  const doubt = plan.isOpen ? TRUSTED_STEPS.whileOpen : TRUSTED_STEPS.whole
  const price = (steps * findPrice(plan, cuts, count) + doubt * USUAL_PRICE) / (steps + doubt)
  return cutAtPrice(plan, price, count)
}

/** The highest price at which there are still so many cuts. */
function findPrice(plan: CutPlan, cuts: number, count: CountSteps): number {
  let cheap = -MAX_PRICE
  let dear = MAX_PRICE
  for (let search = 0; search < PRICE_SEARCHES; search += 1) {
    const price = (cheap + dear) / 2
    if (cutAtPrice(plan, price, count).length < cuts) dear = price
    else cheap = price
  }
  return cheap
}

/**
 * The starts of steps that are compared, while the ends go from sentence to sentence. Lists of fixed length, since most of
 * the time would go into growing them.
 */
interface Comparison {
  startsMs: Float64Array
  /** The best sum of all that comes before each start. */
  best: Float64Array
  /** The same less what the length up to the end that is looked at costs. */
  values: Float64Array
  usualMs: number
  /** The starts that are left, in time order: the first `size` of the list. */
  starts: Int32Array
  size: number
}

/** Chooses the cuts whose scores and lengths, less the price of each cut, give the largest sum. */
export function cutAtPrice(plan: CutPlan, price: number, count: CountSteps = uncounted): number[] {
  const { endMs, scores, usualMs, isOpen } = plan
  const last = plan.startsMs.length
  const minMs = Math.max(MIN_STEP_MS, Math.min(NEAR_MS, usualMs * MIN_SHARE))
  const startsMs = new Float64Array(plan.startsMs)
  const [best, values] = [new Float64Array(last + 1), new Float64Array(last + 1)]
  const candidates: Comparison = { startsMs, best, values, usualMs, starts: new Int32Array(last + 1), size: 0 }
  const cameFrom = new Int32Array(last + 1)
  let next = 0
  for (let to = 1; to <= last; to += 1) {
    const toMs = startsMs[to] ?? endMs
    for (; next < to && toMs - (startsMs[next] ?? 0) >= minMs; next += 1) candidates.starts[candidates.size++] = next
    count(candidates.size)
    const top = rateStarts(candidates, toMs, isOpen && to === last ? usualMs : 0)
    best[to] = (top === -1 ? Number.NEGATIVE_INFINITY : (values[top] ?? 0)) + (scores[to] ?? 0) - price
    cameFrom[to] = Math.max(0, top)
    dropBeaten(candidates, top)
  }
  const cuts: number[] = []
  for (let cut = cameFrom[last] ?? 0; cut > 0; cut = cameFrom[cut] ?? 0) cuts.push(cut)
  return cuts.reverse()
}

/**
 * Writes the value of each start for an end.
 * @returns the earliest start of the best; -1 where there is none
 */
function rateStarts(
  { starts, size, startsMs, best, values, usualMs }: Comparison,
  toMs: number,
  leastMs: number,
): number {
  let top = -1
  let topValue = Number.NEGATIVE_INFINITY
  for (let index = 0; index < size; index += 1) {
    const start = starts[index] ?? 0
    const excess = Math.log(Math.max(toMs - (startsMs[start] ?? 0), leastMs) / usualMs)
    const value = (best[start] ?? 0) - LENGTH_PENALTY * excess * excess
    values[start] = value
    if (value <= topValue) continue
    top = start
    topValue = value
  }
  return top
}

/**
 * Leaves out the starts that are worse than another one at this end and at each later end. Against a later start, an
 * earlier one loses what the additional length costs, which grows by `steepest` at most; for an earlier one, the
 * additional length costs more and more. So the two conditions are exact. What more than {@link MAX_STARTS} would remain
 * of a narration that says the same all the time is thinned out to every second one.
 */
function dropBeaten(candidates: Comparison, top: number): void {
  const { starts, startsMs, best, values, usualMs } = candidates
  const steepest = (2 * LENGTH_PENALTY) / (Math.E * usualMs)
  let leader = Number.NEGATIVE_INFINITY
  let size = 0
  for (let index = 0; index < candidates.size; index += 1) {
    const start = starts[index] ?? 0
    const standing = (best[start] ?? 0) + steepest * (startsMs[start] ?? 0)
    if (standing <= leader) continue
    leader = standing
    starts[size++] = start
  }
  // From the last to the first, so that what stays is at the end of the list.
  let first = size
  let laterBest = Number.NEGATIVE_INFINITY
  let laterValue = Number.NEGATIVE_INFINITY
  for (let index = size - 1; index >= 0; index -= 1) {
    const start = starts[index] ?? 0
    const value = values[start] ?? 0
    if (laterBest > (best[start] ?? 0) && laterValue > value) continue
    starts[--first] = start
    if (value <= laterValue) continue
    laterBest = best[start] ?? 0
    laterValue = value
  }
  candidates.size = size - first
  for (let index = 0; index < candidates.size; index += 1) starts[index] = starts[first + index] ?? 0
  if (candidates.size >= MAX_STARTS) thinOut(candidates, top)
}

function thinOut(candidates: Comparison, top: number): void {
  let size = 0
  for (let index = 0; index < candidates.size; index += 1) {
    const start = candidates.starts[index] ?? 0
    if (index % 2 === 0 || start === top) candidates.starts[size++] = start
  }
  candidates.size = size
}
