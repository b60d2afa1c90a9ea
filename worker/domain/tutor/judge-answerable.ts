import type { Ranking } from './rank-passages.ts'
import type { Term } from './read-question.ts'
import { ANSWERABLE_WEIGHTS } from './tutor-weights.ts'

/** What {@link judgeAnswerable} weighs. */
export interface AnswerableSigns {
  /** Share of the question that the best passage has; words that are never said count in full. */
  covered: number
  /** Share of the question that the recording has anywhere. */
  known: number
  /** What speaks for the best passage, in log odds. */
  strength: number
  /** The question's words, in fives: much of a long question is less of a coincidence than much of a short one. */
  length: number
}

/** The order in which weights are given. */
export const ANSWERABLE_NAMES = ['covered', 'known', 'strength', 'length'] as const

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
  const known = terms.reduce((sum, term) => sum + term.strictWeight * bestGain(term), 0)
  const total = terms.reduce((sum, term) => sum + term.weight, 0)
  if (strict === 0 || total === 0 || measured.length === 0) return null
  const covered = measured.reduce((best, { share }) => Math.max(best, share), 0)
  return {
    covered: (covered * total) / strict,
    known: known / strict,
    strength,
    length: terms.length / LENGTH_UNIT,
  }
}

function bestGain({ matches }: Term): number {
  return matches.reduce((best, { gain }) => Math.max(best, gain), 0)
}
