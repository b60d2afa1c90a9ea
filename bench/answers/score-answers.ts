import { type Passage, readAround, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import type { Question } from './questions.ts'

/** A question with what the tutor found. */
export interface Asked {
  index: TutorIndex
  question: Question
  passages: readonly Passage[]
  /** The tutor's chance that the recording answers it. */
  chance: number
}

/** Scores of one set of questions, 0–1. */
export interface Scores {
  answerable: number
  unanswerable: number
  /** The best passage, as it is read (with what stands around it), overlaps the place where the answer is said. */
  hit1: number
  /** … one of the best three does. */
  hit3: number
  /** … the best passage does without what stands around it. */
  bare: number
  /** The best passage starts from ten seconds before the place to its end. */
  near: number
  /** Chance that an answerable question is judged higher than an unanswerable one. */
  auc: number
  /** Share that is judged rightly at the tutor's own floor. */
  judged: number
}

const NEAR_S = 10

/** Scores what the tutor found. */
export function scoreAnswers(asked: readonly Asked[], floor = 0.5): Scores {
  const answerable = asked.filter(({ question }) => question.span !== null)
  const others = asked.filter(({ question }) => question.span === null)
  const share = (isRight: (each: Asked) => boolean) => answerable.filter(isRight).length / answerable.length
  const judged = asked.filter(({ question, chance }) => (question.span !== null) === chance >= floor).length
  return {
    answerable: answerable.length,
    unanswerable: others.length,
    hit1: share((each) => isRead(each, 1)),
    hit3: share((each) => isRead(each, 3)),
    bare: share(({ question, passages }) => overlaps(passages[0], question)),
    near: share(({ question, passages }) => startsNear(passages[0], question)),
    auc: measureAuc(answerable, others),
    judged: judged / asked.length,
  }
}

function isRead({ index, question, passages }: Asked, count: number): boolean {
  return passages.slice(0, count).some((passage) => overlaps(readAround(index, passage), question))
}

/** True where some of the place at which a question is answered is in a stretch of the recording. */
export function overlaps(passage: Pick<Passage, 'startMs' | 'endMs'> | undefined, { span }: Question): boolean {
  if (passage === undefined || span === null) return false
  return passage.startMs < span.end * 1_000 && passage.endMs > span.start * 1_000
}

function startsNear(passage: Passage | undefined, { span }: Question): boolean {
  if (passage === undefined || span === null) return false
  return passage.startMs >= (span.start - NEAR_S) * 1_000 && passage.startMs <= span.end * 1_000
}

function measureAuc(answerable: readonly Asked[], others: readonly Asked[]): number {
  let sum = 0
  for (const { chance } of answerable)
    for (const other of others) sum += chance > other.chance ? 1 : chance === other.chance ? 0.5 : 0
  return sum / (answerable.length * others.length)
}
