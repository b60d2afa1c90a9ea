import { actsOnPrevious } from './announced-steps.ts'
import { countInstructionsPerMinute } from './count-steps.ts'
import { isAnnouncement, isInstruction } from './cues.ts'
import { FEATURE_NAMES, measureFeatures } from './cut-features.ts'
import { measurePauses } from './pauses.ts'
import type { Sentence } from './sentences.ts'

/** How much each sign speaks for a cut, as log odds; a sign without a weight does not count. */
export interface CutModel {
  bias: number
  weights: Readonly<Record<string, number>>
}

interface Scoring {
  sentences: readonly Sentence[]
  /** Start of the segment at which each sentence would open a step. */
  startsMs: readonly number[]
  /** How long a step usually lasts here. */
  usualMs: number
  model: CutModel
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
export function scoreCuts({ sentences, startsMs, usualMs, model }: Scoring): number[] {
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
export function isClickThrough(sentences: readonly Sentence[]): boolean {
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
