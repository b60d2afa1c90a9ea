import type { TutorIndex } from './open-index.ts'
import type { Pair } from './read-question.ts'

/** Two words that follow each other in the question and here. */
export interface Phrase {
  /** Of the first of them. */
  place: number
  /** Which pair of the question. */
  pair: number
  weight: number
}

/** Finds where words follow each other as in a question, in the order of the recording. */
export function findPhrases({ places, tokens }: TutorIndex, pairs: readonly Pair[]): Phrase[] {
  const phrases = pairs.flatMap(({ first, second, weight }, pair) => {
    const starts = places.get(first) ?? (places.get(second) ?? []).map((place) => place - 1)
    return starts
      .filter((place) => tokens[place]?.stem === first && tokens[place + 1]?.stem === second)
      .map((place) => ({ place, pair, weight }))
  })
  return phrases.sort((left, right) => left.place - right.place)
}
