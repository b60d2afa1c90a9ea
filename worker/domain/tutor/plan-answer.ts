import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { answerFrom } from './answer-extractively.ts'
import { answerQuickPrompt } from './answer-quick-prompt.ts'
import { readAround, type TutorIndex } from './open-index.ts'
import { type Asked, type Ranking, rankPassages } from './rank-passages.ts'
import type { TutorAnswer } from './tutor-answer.ts'

/** What can be said without a model, and what a model would be shown. */
export interface AnswerPlan {
  /** The answer where no model is asked, and where one fails. */
  whole: TutorAnswer
  /** Where {@link whole} comes from. */
  by: 'steps' | 'extractive'
  /** Segments of the best passages, in time order; null where no model is to be asked: it has nothing to answer from. */
  shown: readonly SaidSegment[] | null
}

/**
 * Decides how a question is answered. Quick prompts are answered from the steps. Whether the video covers a question is
 * judged by words only where no model is asked: a model understands a question that shares none with its answer.
 */
export function planAnswer(index: TutorIndex, asked: Asked): AnswerPlan {
  const quick = answerQuickPrompt(index.steps, asked)
  if (quick !== null) return { whole: quick, by: 'steps', shown: null }
  const ranking = rankPassages(index, asked)
  const whole = answerFrom(index, asked, ranking)
  const shown = chooseSegments(index, ranking)
  return { whole, by: 'extractive', shown: shown.length === 0 ? null : shown }
}

function chooseSegments(index: TutorIndex, { passages }: Ranking): SaidSegment[] {
  const chosen = new Set<number>()
  for (const passage of passages) {
    const { firstSegment, lastSegment } = readAround(index, passage)
    for (let at = firstSegment; at <= lastSegment; at += 1) chosen.add(at)
  }
  return index.segments.filter((_, at) => chosen.has(at))
}
