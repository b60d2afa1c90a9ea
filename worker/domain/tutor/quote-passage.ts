import type { CitedNote } from '#contract/tutor.ts'
import { endsWithStop, isContentWord, readSentences, type Sentence } from '#worker/domain/step/extractive/sentences.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import type { CitedSentence } from './check-answer.ts'
import type { Passage, TutorIndex } from './open-index.ts'
import type { ReadQuestion } from './read-question.ts'
import { findWords, stemTerm } from './words.ts'

/** A sentence that was said, with the segments it comes from. */
export interface QuotedSentence extends CitedSentence {
  startMs: number
  /** Notes that it comes from, with the starts of their steps; left out where there are none. */
  notes?: readonly (CitedNote & { startMs: number })[]
}

/** Sentences of a whole answer; learners do not read more next to a video. */
export const MAX_SENTENCES = 3
const MAX_QUOTED_WORDS = 70
/** A quote begins with the question's words; in a later sentence they count less. */
const LATER_SHARE = 0.6
/** Segments before and after a passage in which its first and last sentence may begin and end. */
const SPILL_SEGMENTS = 3
/** A silence that ends a sentence where the transcript has no full stop. */
const PAUSE_MS = 700

type Segments = Pick<TutorIndex, 'segments'>

/** Quotes the sentences of a passage that have most of the question's words, with those that follow. */
export function quotePassage(index: Segments, passage: Passage, { terms }: ReadQuestion): QuotedSentence[] {
  const { near, sentences } = readNear(index, passage)
  const inside = sentences.filter(({ startMs, endMs }) => endMs > passage.startMs && startMs < passage.endMs)
  const [best] = inside
    .map((_, first) => takeRun(inside, first))
    .map((run) => ({ run, rating: rateRun(run, terms) }))
    .toSorted((left, right) => right.rating - left.rating)
  return (best?.run ?? []).map((sentence) => quote(sentence, near))
}

/** Segments after a cited moment in which the next sentences are looked for. */
const AFTER_SEGMENTS = 12

/**
 * Quotes from a moment on that was cited before.
 * @param atMs where the cited sentence begins
 * @param isFirst where the quote begins: at the first sentence for which it is true
 */
export function quoteMoment(
  index: Segments,
  atMs: number,
  isFirst: (sentence: Sentence, isAfter: boolean) => boolean,
): QuotedSentence[] {
  const findCited = (timed: readonly Pick<Sentence, 'startMs'>[]) =>
    Math.max(
      0,
      timed.findLastIndex(({ startMs }) => startMs <= atMs + 1),
    )
  const firstSegment = findCited(index.segments)
  const { near, sentences } = readNear(index, { firstSegment, lastSegment: firstSegment + AFTER_SEGMENTS })
  const cited = findCited(sentences)
  const first = sentences.findIndex(
    (sentence, sentenceIndex) => sentenceIndex >= cited && isFirst(sentence, sentenceIndex > cited),
  )
  return first === -1 ? [] : takeRun(sentences, first).map((sentence) => quote(sentence, near))
}

function readNear(
  { segments }: Segments,
  { firstSegment, lastSegment }: Pick<Passage, 'firstSegment' | 'lastSegment'>,
) {
  const from = Math.max(0, firstSegment - SPILL_SEGMENTS)
  const near = segments.slice(from, lastSegment + 1 + SPILL_SEGMENTS)
  const endedSegments = near.map((segment, index) => endSentence(segment, near[index + 1]))
  return { near, sentences: readSentences(endedSegments).filter(({ words }) => words.length > 0) }
}

/** Ends a sentence with its segment where the transcript has no full stop: at a pause, or before a capital letter. */
function endSentence(segment: SaidSegment, next: SaidSegment | undefined): SaidSegment {
  const text = segment.text.trimEnd()
  const last = findWords(text).at(-1) ?? ''
  if (last === '' || endsWithStop(text) || /[,;:–-]$/.test(text)) return segment
  const isPause = next === undefined || next.startMs - segment.endMs >= PAUSE_MS
  const isWritten = /\p{Lu}/u.test(text)
  const isEnd = isPause || (isContentWord(last) && (!isWritten || /^\p{Lu}/u.test(next?.text.trimStart() ?? '')))
  return isEnd ? { ...segment, text: `${text}.` } : segment
}

function takeRun(sentences: readonly Sentence[], first: number): Sentence[] {
  const run: Sentence[] = []
  let words = 0
  for (const sentence of sentences.slice(first, first + MAX_SENTENCES)) {
    words += sentence.words.length
    if (run.length > 0 && words > MAX_QUOTED_WORDS) break
    run.push(sentence)
  }
  return run
}

function rateRun(run: readonly Sentence[], terms: ReadQuestion['terms']): number {
  const stemsOfSentences = run.map(({ words }) => new Set(words.map(stemTerm)))
  return terms.reduce((sum, { weight, matches }) => {
    const gains = stemsOfSentences.flatMap((stems, index) =>
      matches.filter(({ stem }) => stems.has(stem)).map(({ gain }) => LATER_SHARE ** index * gain),
    )
    return sum + weight * Math.max(0, ...gains)
  }, 0)
}

function quote({ text, startMs, endMs }: Sentence, near: readonly SaidSegment[]): QuotedSentence {
  const segmentIds = near
    .filter((segment) => segment.startMs < endMs - 1 && segment.endMs > startMs + 1)
    .map(({ id }) => id)
  return { text: writeSentence(text), startMs, segmentIds }
}

/** Writes a sentence for reading: with a capital letter and a full stop. */
function writeSentence(sentence: string): string {
  const text = sentence.trim().replace(/^\p{Ll}/u, (letter) => {
    const capital = letter.toUpperCase()
    return capital.toLowerCase() === letter ? capital : letter
  })
  return /[\p{L}\p{N}]$/u.test(text) ? `${text}.` : text.replace(/[,;:–-]$/, '.')
}
