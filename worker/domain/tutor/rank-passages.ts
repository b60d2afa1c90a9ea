import { choosePassages, type RankedPassage } from './choose-passages.ts'
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

/** What {@link rankPassages} found. */
export interface Ranking {
  question: ReadQuestion
  /** By {@link choosePassages}; empty where the recording has no words. */
  passages: RankedPassage[]
  /** All passages, in time order, for measuring. */
  measured: readonly MeasuredPassage[]
  /** The score of each of them. */
  scores: readonly number[]
  /** What speaks for the best passage, in log odds, wherever the viewer is; 0 where there is none. */
  strength: number
}

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
  const strength = strengths.reduce((best, value) => Math.max(best, value), 0)
  return { question, passages: choosePassages(index, { measured, scores }), measured, scores, strength }
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
