import { isInstruction, readSentences, type Sentence } from '#worker/domain/step/extractive/sentences.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { endSentences, SPILL_SEGMENTS } from './end-sentences.ts'
import { type Passage, readAround, type TutorIndex } from './open-index.ts'
import type { Ranking } from './rank-passages.ts'
import { GIVES_CAUSE, type Term } from './read-question.ts'
import { SENTENCE_WEIGHTS } from './tutor-weights.ts'
import { findWords, stemTerm } from './words/words.ts'

/** The signs that a sentence answers a question, by the names of {@link SENTENCE_WEIGHTS}. */
export type SentenceSigns = Record<keyof typeof SENTENCE_WEIGHTS, number>

/** The order in which weights are given. */
export const SENTENCE_SIGN_NAMES = Object.keys(SENTENCE_WEIGHTS) as (keyof SentenceSigns)[]

/** A sentence near a passage that was found, with its signs for one question. */
export interface MeasuredSentence {
  sentence: Sentence
  /** The segments around its passage, in which it is said. */
  near: readonly SaidSegment[]
  /** Number of its stretch of the recording; within one, sentences follow each other. */
  stretch: number
  signs: SentenceSigns
}

/** Shares of a recording at its two ends that are introduction and summary. */
const OPENING_SHARE = 0.05
const CLOSING_SHARE = 0.08
/** In log odds; a passage further behind the best one is none that answers. */
const MAX_BEHIND = 6
/** Keeps the logarithm of a chance finite. */
const LEAST_CHANCE = 1e-4

/**
 * Measures the sentences in and around passages, in time order.
 * @param passages those that were found; all of the recording where weights are fitted, which need the wrong ones, too
 */
export function measureSentences(
  index: TutorIndex,
  ranking: Ranking,
  passages: readonly Passage[] = ranking.passages,
): MeasuredSentence[] {
  const rate = openPassageRating(ranking)
  const endMs = index.segments.at(-1)?.endMs ?? 0
  return findStretches(index, passages).flatMap((near, stretch) => {
    const sentences = readSentences(near).filter(({ words }) => words.length > 0)
    const said = sentences.map((sentence) => readSaid(sentence, ranking.question.terms))
    return sentences.map((sentence, at): MeasuredSentence => {
      const own = said[at] as Said
      return {
        sentence,
        near,
        stretch,
        signs: {
          ...measureWords(own, { before: said[at - 1], next: said[at + 1] }, ranking),
          ...rate(sentence),
          asks: Number(sentence.isQuestion),
          instructs: Number(ranking.question.expects.action && isInstruction(sentence)),
          opening: Number(sentence.startMs < OPENING_SHARE * endMs),
          closing: Number(!ranking.question.expects.ending && sentence.startMs > (1 - CLOSING_SHARE) * endMs),
        },
      }
    })
  })
}

/** The segments in and around the passages, joined where these touch. */
function findStretches(index: TutorIndex, passages: readonly Passage[]): SaidSegment[][] {
  const wide = passages
    .map((passage) => readAround(index, passage))
    .toSorted((left, right) => left.firstSegment - right.firstSegment)
  const ranges: { first: number; last: number }[] = []
  for (const { firstSegment: first, lastSegment: last } of wide) {
    const range = ranges.at(-1)
    const from = Math.max(0, first - SPILL_SEGMENTS)
    const to = last + SPILL_SEGMENTS
    if (range !== undefined && from <= range.last + 1) range.last = Math.max(range.last, to)
    else ranges.push({ first: from, last: to })
  }
  return ranges.map(({ first, last }) => endSentences(index.segments.slice(first, last + 1)))
}

/** What a sentence has of a question. */
interface Said {
  /** By term, how well its best word matches, 0–1. */
  gains: readonly number[]
  isExact: readonly boolean[]
  hasCause: boolean
  /** It has a number that the question has not. */
  hasNumber: boolean
}

function readSaid({ text }: Sentence, terms: readonly Term[]): Said {
  const words = findWords(text)
  const stems = new Set(words.map(stemTerm))
  const own = new Set(terms.flatMap(({ stem, matches }) => [stem, ...matches.map((match) => match.stem)]))
  return {
    gains: terms.map(({ matches }) => Math.max(0, ...matches.map(({ stem, gain }) => (stems.has(stem) ? gain : 0)))),
    isExact: terms.map(({ stem }) => stems.has(stem)),
    hasCause: words.some((word) => GIVES_CAUSE.test(word)),
    hasNumber: [...stems].some((stem) => /^\d/.test(stem) && !own.has(stem)),
  }
}

function measureWords(
  own: Said,
  { before, next }: { before: Said | undefined; next: Said | undefined },
  { question: { terms, expects } }: Ranking,
) {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1
  const sumOf = (gainOf: (term: number) => number) =>
    terms.reduce((sum, { weight }, term) => sum + weight * gainOf(term), 0) / total
  const gainIn = (said: Said | undefined, term: number) => said?.gains[term] ?? 0
  return {
    covered: sumOf((term) => gainIn(own, term)),
    exact: sumOf((term) => Number(own.isExact[term] ?? false)),
    before: sumOf((term) => Math.max(0, gainIn(before, term) - gainIn(own, term))),
    number: Number(expects.number && own.hasNumber),
    numberNext: Number(expects.number && !own.hasNumber && (next?.hasNumber ?? false)),
    cause: Number(expects.cause && own.hasCause),
  }
}

/** How well the passages do that a sentence is in: the best of them, and all together. */
function openPassageRating({ measured, scores }: Ranking) {
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  const chances = scores.map((score) => Math.exp(score - top))
  const total = chances.reduce((sum, chance) => sum + chance, 0)
  return ({ startMs, endMs }: Sentence) => {
    let behind = -MAX_BEHIND
    let chance = 0
    measured.forEach(({ passage }, at) => {
      if (passage.startMs >= endMs || passage.endMs <= startMs) return
      behind = Math.max(behind, (scores[at] ?? 0) - top)
      chance += chances[at] ?? 0
    })
    return { bestPassage: behind, allPassages: Math.log(chance / total + LEAST_CHANCE) }
  }
}

/** A sentence with the chance that the answer is said in it or right beside it; only comparisons mean something. */
export interface RankedSentence extends MeasuredSentence {
  share: number
}

/** An answer is seldom said in one sentence, so those beside it count, too; chosen by held-out hits. */
const BESIDE_SHARE = 0.4

/**
 * Rates the sentences near the passages that were found, in time order.
 * @param weights other than the product's only where they are fitted
 */
export function rankSentences(
  index: TutorIndex,
  ranking: Ranking,
  weights: Readonly<SentenceSigns> = SENTENCE_WEIGHTS,
): RankedSentence[] {
  const measured = measureSentences(index, ranking)
  const scores = measured.map(({ signs }) =>
    SENTENCE_SIGN_NAMES.reduce((sum, name) => sum + weights[name] * signs[name], 0),
  )
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  const chances = scores.map((score) => Math.exp(score - top))
  return measured.map((each, at) => {
    const beside = [at - 1, at + 1].filter((other) => measured[other]?.stretch === each.stretch)
    const share = beside.reduce((sum, other) => sum + BESIDE_SHARE * (chances[other] ?? 0), chances[at] ?? 0)
    return { ...each, share }
  })
}
