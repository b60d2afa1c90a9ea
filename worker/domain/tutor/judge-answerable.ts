import type { Ranking } from './rank-passages.ts'
import type { Term } from './read-question.ts'
import { ANSWERABLE_WEIGHTS } from './tutor-weights.ts'

/** What {@link judgeAnswerable} weighs. */
export interface AnswerableSigns {
  /** Share of the question that the best passage has; words that are never said count in full. */
  covered: number
  /** Share of the question that the recording has anywhere. */
  known: number
  /** Words of the question stand close together in the best passage. */
  close: number
}

/** Below this chance the tutor says that the video does not cover a question: more likely not than so. */
export const ANSWERABLE_FLOOR = 0.5

/** The chance that a recording answers a question, 0–1; 0 where the question has no words of its own. */
export function judgeAnswerable(
  ranking: Ranking,
  weights: Readonly<typeof ANSWERABLE_WEIGHTS> = ANSWERABLE_WEIGHTS,
): number {
  const signs = readAnswerableSigns(ranking)
  if (signs === null) return 0
  const { bias, covered, known, close } = weights
  return 1 / (1 + Math.exp(-(bias + covered * signs.covered + known * signs.known + close * signs.close)))
}

/** The signs of {@link judgeAnswerable}; null where the question has no words of its own. */
export function readAnswerableSigns({ question, measured }: Ranking): AnswerableSigns | null {
  const { terms } = question
  const strict = terms.reduce((sum, term) => sum + term.strictWeight, 0)
  const known = terms.reduce((sum, term) => sum + term.strictWeight * bestGain(term), 0)
  const total = terms.reduce((sum, term) => sum + term.weight, 0)
  if (strict === 0 || total === 0 || measured.length === 0) return null
  let covered = 0
  let close = 0
  for (const { signs } of measured) {
    covered = Math.max(covered, signs.covered)
    close = Math.max(close, signs.close)
  }
  return { covered: (covered * total) / strict, known: known / strict, close: (close * total) / strict }
}

function bestGain({ matches }: Term): number {
  return matches.reduce((best, { gain }) => Math.max(best, gain), 0)
}
