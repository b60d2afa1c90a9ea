import { MIN_STEP_MS } from '../section-step.ts'
import { actsOnPrevious, findAnnouncedSteps, isAnnouncement, isInstruction } from './cues.ts'
import {
  countInstructionsPerMinute,
  FEATURE_NAMES,
  measureFeatures,
  measurePauses,
  usualStepMs,
} from './cut-features.ts'
import { type Sentence, spokenMsOf } from './sentences.ts'

/** How much each sign speaks for a cut, as log odds; a sign without a weight does not count. */
export interface CutModel {
  bias: number
  weights: Readonly<Record<string, number>>
}

/** People who mark chapters differ by a few seconds, so the evidence of sentences this near is pooled. */
const POOL_MS = 4_000
/** Among pooled sentences the one with the evidence is the better start. */
const OWN_WEIGHT = 2

/** In a clip of short steps the neighbours within {@link POOL_MS} are other steps, so the reach is this part of a step. */
const POOL_SHARE = 0.15

/**
 * Off the log odds of "Pull it straight up", which acts on what was just spoken of. Taken after pooling, since the
 * evidence of the sentence before or after must not make up for it; set by hand, as it is missing from the benchmark.
 */
const BOUND_PENALTY = 4

/** Instructions a minute of a click-through without sequence words; no recording of the benchmark has one. */
const DENSE_INSTRUCTIONS = 3
/** Off the log odds of a sentence without an instruction in such a click-through; set by hand. */
const REMARK_PENALTY = 2
/** Where nearly every sentence is an instruction, pauses show best which ones belong together; set by hand. */
const DENSE_PAUSE_BONUS = 2
/** Fitted signs count less there: with a few words on either side, similarity is mostly chance; set by hand. */
const DENSE_TRUST = 0.5

/** Log odds that a step begins at each sentence or within {@link POOL_MS} of it. */
function scoreCuts({ sentences, startsMs }: CutInput, usualMs: number, model: CutModel): number[] {
  const weights = FEATURE_NAMES.map((name) => model.weights[name] ?? 0)
  const odds = measureFeatures(sentences).map((row) => {
    return row.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), model.bias)
  })
  const reachMs = Math.min(POOL_MS, usualMs * POOL_SHARE)
  const chances = odds.map((logOdds) => 1 / (1 + Math.exp(-logOdds)))
  const fitted = pool(chances, startsMs, reachMs).map(Math.log)
  const rated = isClickThrough(sentences) ? rateInstructions(sentences, fitted) : fitted
  return rated.map((score, index) => score - (actsOnPrevious(sentences[index] as Sentence) ? BOUND_PENALTY : 0))
}

/** True where nearly every sentence is an instruction; its scores do not compare with those of other narrations. */
function isClickThrough(sentences: readonly Sentence[]): boolean {
  return countInstructionsPerMinute(sentences) >= DENSE_INSTRUCTIONS
}

function rateInstructions(sentences: readonly Sentence[], fitted: readonly number[]): number[] {
  const pauses = measurePauses(sentences)
  return sentences.map((sentence, index) => {
    const opens = isInstruction(sentence) || isAnnouncement(sentence)
    const sure = opens ? DENSE_PAUSE_BONUS * (pauses[index] ?? 0) : -REMARK_PENALTY
    return DENSE_TRUST * (fitted[index] ?? 0) + sure
  })
}

function pool(chances: readonly number[], startsMs: readonly number[], reachMs: number): number[] {
  return chances.map((own, index) => {
    const atMs = startsMs[index] ?? 0
    let sum = OWN_WEIGHT * own
    for (let left = index - 1; left >= 0 && atMs - (startsMs[left] ?? 0) <= reachMs; left -= 1)
      sum += chances[left] ?? 0
    for (let right = index + 1; right < chances.length && (startsMs[right] ?? 0) - atMs <= reachMs; right += 1) {
      sum += chances[right] ?? 0
    }
    return sum
  })
}

/** How far step lengths spread around the usual one: standard deviation of log length in the benchmark's own marks. */
const LENGTH_SPREAD = 0.65
/** How much the length of a step counts against what is said at its start; chosen by cross-validation. */
const LENGTH_WEIGHT = 0.25
/** Two marks nearer than this are one to a viewer, unless the usual step is not much longer. */
const NEAR_MS = 8_000
/** The part of the usual length that a short step of a busy clip may have. */
const MIN_SHARE = 0.5
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

interface CutPlan extends Pick<CutInput, 'startsMs' | 'endMs' | 'isOpen'> {
  /** Log odds that a step begins at each sentence. */
  scores: readonly number[]
  /** How long a step usually lasts. */
  usualMs: number
  /** The scores are log odds of the usual kind, so that the usual price means something. */
  isComparable: boolean
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
      const judgedMs = isOngoing ? Math.max(lengthMs, usualMs) : lengthMs
      const penalty = (LENGTH_WEIGHT * Math.log(judgedMs / usualMs) ** 2) / (2 * LENGTH_SPREAD ** 2)
      const value = (best[start] ?? 0) - penalty
      if (value > top) [top, from] = [value, start]
    }
    best.push(top + (scores[to] ?? 0) - price)
    cameFrom.push(from)
  }
  const cuts: number[] = []
  for (let at = cameFrom.at(-1) ?? 0; at > 0; at = cameFrom[at] ?? 0) cuts.push(at)
  return cuts.reverse()
}

/** An announced step that lasts longer than this holds more than what was announced, so it is cut like a talk. */
const LONG_STEP_MS = 120_000

/** A narration as far as it was transcribed. */
export interface CutInput {
  sentences: readonly Sentence[]
  /** Start of the segment at which each sentence would open a step. */
  startsMs: readonly number[]
  endMs: number
  /** Length of the video, or of the transcript while that is unknown. */
  lengthMs: number
  /** The narration continues after `endMs`. */
  isOpen: boolean
}

/** A sentence at which a step begins. */
export interface Cut {
  /** Index of the segment that the step begins with, and its start. */
  place: number
  startMs: number
  /** The speaker says so, in a narrated list of steps. */
  isAnnounced: boolean
}

/**
 * Finds where steps begin, in order, the first sentence left out. A narrated list of steps is cut where the speaker
 * says so; all else where the signs are best.
 */
export function findCuts(input: CutInput, model: CutModel): Cut[] {
  const { sentences } = input
  const usualMs = usualStepMs(sentences, input.lengthMs)
  const scored = { ...input, usualMs, scores: scoreCuts(input, usualMs, model) }
  const starts = findListStarts(input)
  const isTalk = starts.length === 1
  const placeAt = (index: number, isAnnounced: boolean): Cut => {
    return { place: sentences[index]?.segmentIndex ?? 0, startMs: input.startsMs[index] ?? 0, isAnnounced }
  }
  return starts.flatMap((from, order) => {
    const to = starts[order + 1] ?? sentences.length
    const inside = isTalk || spanMs(input, from, to) > LONG_STEP_MS ? cutPart(scored, from, to) : []
    const cuts = inside.map((index) => placeAt(index, false))
    return from === 0 ? cuts : [placeAt(from, true), ...cuts]
  })
}

/** The first sentence, and where announced steps begin. */
function findListStarts(input: CutInput): number[] {
  const starts = [0]
  for (const index of findAnnouncedSteps(input.sentences, input.isOpen ? 'so far' : 'all')) {
    if (spanMs(input, starts.at(-1) ?? 0, index) >= MIN_STEP_MS) starts.push(index)
  }
  return starts
}

function spanMs({ startsMs, endMs }: CutInput, from: number, to: number): number {
  return (startsMs[to] ?? endMs) - (startsMs[from] ?? 0)
}

function cutPart(scored: CutInput & Pick<CutPlan, 'scores' | 'usualMs'>, from: number, to: number): number[] {
  const sentences = scored.sentences.slice(from, to)
  const isAll = sentences.length === scored.sentences.length
  const plan = {
    startsMs: scored.startsMs.slice(from, to),
    endMs: scored.startsMs[to] ?? scored.endMs,
    scores: scored.scores.slice(from, to),
    usualMs: isAll ? scored.usualMs : usualStepMs(sentences, spokenMsOf(sentences)),
    isComparable: !isClickThrough(scored.sentences),
    isOpen: scored.isOpen && to === scored.sentences.length,
  }
  return chooseCuts(plan).map((cut) => from + cut)
}
