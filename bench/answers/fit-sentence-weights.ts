import type { TutorIndex } from '#worker/domain/tutor/open-index.ts'
import type { Ranking } from '#worker/domain/tutor/rank-passages.ts'
import {
  type MeasuredSentence,
  measureSentences,
  rankSentences,
  SENTENCE_SIGN_NAMES,
  type SentenceSigns,
} from '#worker/domain/tutor/rank-sentences.ts'
import { fitChoice } from '../regression.ts'
import { round } from '../scenario.ts'
import { overlaps, type Question } from './questions.ts'

/** Chosen among 0.1, 0.3, 0.5, 1 and 2 by held-out hits. */
const RIDGE = 0.5

/** A question whose passages are ranked. */
export interface Ranked {
  question: Question
  index: TutorIndex
  ranking: Ranking
}

/** A sentence that lies in one segment with the answer shows that moment. */
function isSaidIn({ near, sentence }: MeasuredSentence, question: Question): boolean {
  return near.some(
    (segment) =>
      segment.startMs < sentence.endMs - 1 && segment.endMs > sentence.startMs + 1 && overlaps(segment, question),
  )
}

/** Fits how sentences are rated to questions with an answer, over all of what is said. */
export function fitSentences(ranked: readonly Ranked[]): SentenceSigns {
  const choices = ranked.map(({ question, index, ranking }) => {
    const measured = measureSentences(index, ranking, index.passages)
    const rows = measured.map(({ signs }) => SENTENCE_SIGN_NAMES.map((name) => signs[name]))
    return { rows, isRight: measured.map((each) => isSaidIn(each, question)), weight: 1 }
  })
  const fitted = fitChoice(choices, RIDGE).map((weight) => round(weight, 1))
  return Object.fromEntries(SENTENCE_SIGN_NAMES.map((name, at) => [name, fitted[at] ?? 0])) as SentenceSigns
}

/** Whether the best sentence is one of the answer. */
export function findsAnswer({ question, index, ranking }: Ranked, weights: SentenceSigns): boolean {
  const [best] = rankSentences(index, ranking, weights).toSorted((left, right) => right.share - left.share)
  return best !== undefined && isSaidIn(best, question)
}
