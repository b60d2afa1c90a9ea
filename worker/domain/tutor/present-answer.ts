import type { AnswerMeta, Citation } from '#contract/tutor.ts'
import { cleanAnswer } from './clean-answer.ts'
import type { TutorAnswer } from './tutor-answer.ts'

/** Everything about an answer that is not its text. Only what can be found in the text is cited. */
export function presentMeta(turnId: string, { text, isCovered, sentences, step }: TutorAnswer): AnswerMeta {
  const citations = sentences.flatMap((sentence): Citation[] => {
    const quoted = cleanAnswer(sentence.text.replace(/\s+/g, ' '))
    if (quoted === '' || !text.includes(quoted)) return []
    return [{ segmentIds: [...sentence.segmentIds], start: sentence.startMs / 1_000, sentence: quoted }]
  })
  return { turnId, isCovered, citations, step }
}
