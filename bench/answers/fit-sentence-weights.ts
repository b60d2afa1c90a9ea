import { openIndex, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { rankPassages } from '#worker/domain/tutor/rank-passages.ts'
import {
  type MeasuredSentence,
  measureSentences,
  rankSentences,
  SENTENCE_SIGN_NAMES,
  type SentenceSigns,
} from '#worker/domain/tutor/rank-sentences.ts'
import { type Choice, fitChoice } from '../regression.ts'
import { round } from '../scenario.ts'
import { readSegments } from '../steps/predict-steps.ts'
import { overlaps, type Question } from './questions.ts'

/** Chosen among 0.1, 0.3, 0.5, 1 and 2 by held-out hits. */
const RIDGE = 0.5
/** Folds over recordings. */
const FOLDS = 6

interface Observed {
  question: Question
  index: TutorIndex
  choice: Choice
}

function observe(question: Question): Observed {
  const index = openIndex({ segments: readSegments(question.item), steps: [] })
  const measured = measureSentences(index, rankPassages(index, question), index.passages)
  const rows = measured.map(({ signs }) => SENTENCE_SIGN_NAMES.map((name) => signs[name]))
  const isRight = measured.map((each) => isSaidIn(each, question))
  return { question, index, choice: { rows, isRight, weight: 1 } }
}

/** A sentence that lies in one segment with the answer shows that moment. */
function isSaidIn({ near, sentence }: MeasuredSentence, question: Question): boolean {
  return near.some(
    (segment) =>
      segment.startMs < sentence.endMs - 1 && segment.endMs > sentence.startMs + 1 && overlaps(segment, question),
  )
}

function fit(observed: readonly Observed[]): SentenceSigns {
  const choices = observed.map(({ choice }) => choice)
  const fitted = fitChoice(choices, RIDGE).map((weight) => round(weight, 1))
  return Object.fromEntries(SENTENCE_SIGN_NAMES.map((name, at) => [name, fitted[at] ?? 0])) as SentenceSigns
}

function findsAnswer({ question, index }: Observed, weights: SentenceSigns): boolean {
  const ranked = rankSentences(index, rankPassages(index, question), weights)
  const [best] = ranked.toSorted((left, right) => right.share - left.share)
  return best !== undefined && isSaidIn(best, question)
}

/**
 * Fits how sentences are rated to questions with an answer.
 * @returns also the share of questions whose best sentence is one of the answer, by weights that saw no other question
 * about its recording
 */
export function fitSentences(questions: readonly Question[]): { weights: SentenceSigns; heldOut: number } {
  const observed = questions.filter(({ span }) => span !== null).map(observe)
  const recordings = [...new Set(observed.map(({ question }) => question.item))]
  const foldOf = ({ question }: Observed) => recordings.indexOf(question.item) % FOLDS
  let found = 0
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const weights = fit(observed.filter((each) => foldOf(each) !== fold))
    found += observed.filter((each) => foldOf(each) === fold && findsAnswer(each, weights)).length
  }
  return { weights: fit(observed), heldOut: found / observed.length }
}
