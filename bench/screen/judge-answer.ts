import type { AnswerMeta } from '#contract/tutor.ts'

/** An answer as a video shows it. */
export interface ShownAnswer {
  answer: string
  /** Seconds from and until which it is visible. */
  ranges: readonly (readonly [number, number])[]
}

export type Verdict = 'right' | 'wrong' | 'refused'

/** Moments of an answer may lie as far outside of the time in which it is visible. */
const TOLERANCE_S = 10

const withoutBlanks = (text: string) => text.replaceAll(/\s/gu, '')

/** Right is an answer that quotes what is shown, letter by letter, at a moment that shows it. @param shown null where nothing answers */
export function judgeAnswer(
  { isCovered, citations }: Pick<AnswerMeta, 'isCovered' | 'citations'>,
  shown: ShownAnswer | null,
): Verdict {
  if (!isCovered) return 'refused'
  if (shown === null) return 'wrong'
  const { answer, ranges } = shown
  const isVisible = (start: number) =>
    ranges.some(([fromS, untilS]) => start >= fromS - TOLERANCE_S && start <= untilS + TOLERANCE_S)
  const isRight = citations.some(({ sentence, start }) => {
    return withoutBlanks(sentence).includes(withoutBlanks(answer)) && isVisible(start)
  })
  return isRight ? 'right' : 'wrong'
}
