import { z } from 'zod'
import { type AnswerMeta, TutorAnswerBody } from '#contract/tutor.ts'

export interface SpokenAnswer {
  text: string
  /** Null where the server sends only the text. */
  meta: AnswerMeta | null
}

/** What is shown where the voice path has no answer. @see specification §8 */
export const NO_ANSWER = 'No answer returned.'

const Bare = z.object({ answer: z.string() })
const Wrapped = z.object({ data: Bare })

/** Reads `answer` or `data.answer` (specification §7). */
export function readSpokenAnswer(value: unknown): SpokenAnswer {
  const whole = TutorAnswerBody.safeParse(value).data
  const text = whole?.answer ?? Bare.safeParse(value).data?.answer ?? Wrapped.safeParse(value).data?.data.answer ?? ''
  return text.trim() === '' ? { text: NO_ANSWER, meta: null } : { text, meta: whole ?? null }
}
