import { type MeasuredPassage, measurePassages, SIGN_NAMES, type Signs } from './measure-passages.ts'
import type { Passage, TutorIndex, TutorStep } from './open-index.ts'
import { type ReadQuestion, readQuestion, type Term } from './read-question.ts'
import { ANSWERABLE_WEIGHTS, RANK_WEIGHTS } from './tutor-weights.ts'
import { findWords, isTerm, stemTerm } from './words/words.ts'

/** A question and where the viewer is. */
export interface Asked {
  question: string
  /** The position of the video; null when it was not sent. */
  timeMs?: number | null
  /** The step that is shown; null when none is. */
  stepId?: string | null
}

/** A passage with its place among the others. */
export interface RankedPassage extends Passage {
  /** Log odds against the others; only differences within one question mean something. */
  score: number
  /** Chance that the answer is in it, 0–1; all passages of one question sum to about 1. */
  share: number
  signs: Signs
}

/** What {@link rankPassages} found. */
export interface Ranking {
  question: ReadQuestion
  /** Best first; none overlaps a better one. Empty where the recording has no words. */
  passages: RankedPassage[]
  /** All passages, in time order, for measuring. */
  measured: readonly MeasuredPassage[]
  /** The score of each of them. */
  scores: readonly number[]
  /** What speaks for the best passage, in log odds, wherever the viewer is; 0 where there is none. */
  strength: number
}

/** Passages that are given; an answer quotes two or three. */
const MAX_PASSAGES = 6
/** How much the passage at hand weighs, in log odds: it decides between passages that are nearly as good. */
const NEAR_WEIGHT = 0.6
const IN_STEP_WEIGHT = 0.6
/** … and where the question points ("what does this do?"), it decides. */
const POINTING_FACTOR = 6
/** Distance at which nearness has faded to a third; the usual length of a step. */
const NEAR_MS = 60_000
/** A step whose title or aliases have the words of the question, in log odds. */
const TITLED_WEIGHT = 1.5
const POINTS_AT_NOW = /\b(?:this|that|here|now|currently|just said|it)\b/i

/**
 * Finds the passages of a recording that probably answer a question.
 * @param weights other than the product's only where they are fitted
 */
export function rankPassages(index: TutorIndex, query: Asked, weights: Readonly<Signs> = RANK_WEIGHTS): Ranking {
  const question = readQuestion(index, query.question)
  const measured = measurePassages(index, question)
  const context = makeContext(index, query, question)
  const strengths = measured.map(({ signs }) => SIGN_NAMES.reduce((sum, name) => sum + weights[name] * signs[name], 0))
  const scores = measured.map(
    ({ passage }, passageIndex) =>
      (strengths[passageIndex] as number) + context(passage, index.stepsOfPassages[passageIndex]),
  )
  const shares = shareChances(index.passages, scores)
  const ranked = { measured, scores, shares }
  const strength = strengths.reduce((best, value) => Math.max(best, value), 0)
  return { question, passages: chooseApart(ranked), measured, scores, strength }
}

/**
 * Passages overlap, so the chance that an answer is in one is that of all passages that share words with it, by how
 * much they share.
 */
function shareChances(passages: readonly Passage[], scores: readonly number[]): number[] {
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  const chances = scores.map((score) => Math.exp(score - top))
  const total = chances.reduce((sum, chance) => sum + chance, 0)
  return passages.map((passage, index) => {
    let sum = chances[index] as number
    for (let other = index - 1; shared(passages[other], passage) > 0; other -= 1)
      sum += (chances[other] as number) * shared(passages[other], passage)
    for (let other = index + 1; shared(passage, passages[other]) > 0; other += 1)
      sum += (chances[other] as number) * shared(passage, passages[other])
    return sum / total
  })
}

/**
 * The share of the earlier passage's end that the later one begins with, squared: halves that share an answer count
 * for less than half. Chosen by held-out hits among the best three.
 */
function shared(earlier: Passage | undefined, later: Passage | undefined): number {
  if (earlier === undefined || later === undefined) return 0
  return Math.min(1, Math.max(0, earlier.to - later.from) / (later.to - later.from)) ** 2
}

interface Ranked {
  measured: readonly MeasuredPassage[]
  scores: readonly number[]
  shares: readonly number[]
}

function chooseApart(ranked: Ranked): RankedPassage[] {
  const { shares } = ranked
  const chosen: RankedPassage[] = []
  for (const index of [...shares.keys()].sort((left, right) => (shares[right] as number) - (shares[left] as number))) {
    const passage = startAtPeak(ranked, index)
    if (chosen.every((other) => passage.to <= other.from || passage.from >= other.to)) chosen.push(passage)
    if (chosen.length === MAX_PASSAGES) break
  }
  return chosen
}

/**
 * The likeliest of the passages that begin in one: the share shows roughly where an answer is, the score where it
 * begins.
 */
function startAtPeak({ measured, scores, shares }: Ranked, first: number): RankedPassage {
  const passageAt = (index: number) => (measured[index] as MeasuredPassage).passage
  const { from, to } = passageAt(first)
  let peak = first
  for (let index = first + 1; index < measured.length && passageAt(index).from < (from + to) / 2; index += 1)
    if ((scores[index] as number) > (scores[peak] as number)) peak = index
  const { passage, signs } = measured[peak] as MeasuredPassage
  return { ...passage, signs, score: scores[peak] as number, share: shares[first] as number }
}

function makeContext(index: TutorIndex, { timeMs, stepId, question }: Asked, read: ReadQuestion) {
  const factor = POINTS_AT_NOW.test(question) && read.terms.length <= 2 ? POINTING_FACTOR : 1
  const current = index.steps.find((step) => step.id === stepId)
  const titled = new Map(index.steps.map((step) => [step, matchTitle(step, read)]))
  return ({ startMs, endMs }: Passage, step: TutorStep | undefined): number => {
    const distance = timeMs === undefined || timeMs === null ? null : Math.abs((startMs + endMs) / 2 - timeMs)
    return (
      factor * (distance === null ? 0 : NEAR_WEIGHT * Math.exp(-distance / NEAR_MS)) +
      factor * (current !== undefined && step === current ? IN_STEP_WEIGHT : 0) +
      (step === undefined ? 0 : TITLED_WEIGHT * (titled.get(step) ?? 0))
    )
  }
}

/**
 * Share of a question's words that a step has in its title and aliases, by weight. Notes are their owner's: a viewer
 * could find out their words, one question a word.
 */
export function matchTitle({ title, aliases }: TutorStep, { terms }: ReadQuestion) {
  const stems = new Set(
    findWords([title, ...aliases].join(' '))
      .filter(isTerm)
      .map(stemTerm),
  )
  const total = terms.reduce((sum, term) => sum + term.weight, 0)
  const had = terms.filter((term) => stems.has(term.stem) || term.matches.some(({ stem }) => stems.has(stem)))
  return total === 0 ? 0 : had.reduce((sum, term) => sum + term.weight, 0) / total
}

/** What {@link judgeAnswerable} weighs. */
export type AnswerableSigns = Omit<typeof ANSWERABLE_WEIGHTS, 'bias'>

/** The order in which weights are given. */
export const ANSWERABLE_NAMES = ['covered', 'known', 'strength', 'length'] as const

/** Much of a long question is less of a coincidence than much of a short one: its words count in fives. */
const LENGTH_UNIT = 5

/** Below this chance the tutor says that the video does not cover a question: more likely not than so. */
export const ANSWERABLE_FLOOR = 0.5

/** The chance that a recording answers a question, 0–1; 0 where the question has no words of its own. */
export function judgeAnswerable(
  ranking: Ranking,
  weights: Readonly<typeof ANSWERABLE_WEIGHTS> = ANSWERABLE_WEIGHTS,
): number {
  const signs = readAnswerableSigns(ranking)
  if (signs === null) return 0
  const odds = ANSWERABLE_NAMES.reduce((sum, name) => sum + weights[name] * signs[name], weights.bias)
  return 1 / (1 + Math.exp(-odds))
}

/** The signs of {@link judgeAnswerable}; null where the question has no words of its own. */
export function readAnswerableSigns({ question, measured, strength }: Ranking): AnswerableSigns | null {
  const { terms } = question
  const strict = terms.reduce((sum, term) => sum + term.strictWeight, 0)
  const bestGain = ({ matches }: Term) => Math.max(0, ...matches.map(({ gain }) => gain))
  const knownWeight = terms.reduce((sum, term) => sum + term.strictWeight * bestGain(term), 0)
  const total = terms.reduce((sum, term) => sum + term.weight, 0)
  if (strict === 0 || total === 0 || measured.length === 0) return null
  const covered = measured.reduce((best, { share }) => Math.max(best, share), 0)
  return {
    /** Share of the question that the best passage has; words that are never said count in full. */
    covered: (covered * total) / strict,
    /** Share of the question that the recording has anywhere. */
    known: knownWeight / strict,
    strength,
    length: terms.length / LENGTH_UNIT,
  }
}
