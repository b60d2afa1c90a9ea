import type { CitedNote } from '#contract/tutor.ts'
import { readSentences, type Sentence } from '#worker/domain/step/extractive/sentences.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import type { CitedSentence } from './check-answer.ts'
import { endSentences, SPILL_SEGMENTS } from './end-sentences.ts'
import type { Passage, TutorIndex } from './open-index.ts'
import type { Ranking } from './rank-passages.ts'
import { type RankedSentence, rankSentences } from './rank-sentences.ts'

/** A sentence that was said, with the segments it comes from. */
export interface QuotedSentence extends CitedSentence {
  startMs: number
  /** Notes that it comes from, with the starts of their steps; left out where there are none. */
  notes?: readonly (CitedNote & { startMs: number })[]
  /** When the screen shows it; left out where it does not. */
  screenMs?: readonly number[]
}

/** Sentences of a whole answer; learners do not read more next to a video. */
const MAX_SENTENCES = 3
const MAX_QUOTED_WORDS = 70
/** Sentences nearer than this are one moment. */
const APART = 2
/** Another moment is quoted when it is at least this likely compared to the best; chosen by held-out hits. */
const LEAST_SHARE = 0.02

/**
 * Quotes the sentences that most likely answer a question, the likeliest first, each with those that follow it where
 * there is room.
 * @param moments places of the recording that may be quoted
 * @returns the sentences of each moment; {@link MAX_SENTENCES} in all at most
 */
export function quoteMoments(index: TutorIndex, ranking: Ranking, moments = MAX_SENTENCES): QuotedSentence[][] {
  const ranked = rankSentences(index, ranking)
  const [first, ...others] = chooseMoments(ranked, moments)
  if (first === undefined) return []
  const quoteAt = (at: number, most: number) => {
    const { stretch, near } = ranked[at] as RankedSentence
    const following = ranked.slice(at).filter((each) => each.stretch === stretch)
    return takeRun(
      following.map(({ sentence }) => sentence),
      most,
    ).map((sentence) => quote(sentence, near))
  }
  return [quoteAt(first, MAX_SENTENCES - others.length), ...others.map((at) => quoteAt(at, 1))]
}

function chooseMoments(ranked: readonly RankedSentence[], most: number): number[] {
  const shareOf = (at: number) => ranked[at]?.share ?? 0
  const chosen: number[] = []
  for (const at of [...ranked.keys()].toSorted((left, right) => shareOf(right) - shareOf(left))) {
    if (chosen.length === most || shareOf(at) < LEAST_SHARE * shareOf(chosen[0] ?? at)) break
    if (chosen.every((other) => Math.abs(at - other) > APART)) chosen.push(at)
  }
  return chosen
}

type Segments = Pick<TutorIndex, 'segments'>

/** Segments after a cited moment in which the next sentences are looked for. */
const AFTER_SEGMENTS = 12

/**
 * Quotes from a moment on that was cited before.
 * @param atMs where the cited sentence begins
 * @param isFirst where the quote begins: at the first sentence for which it is true
 */
export function quoteFrom(
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
  return first === -1 ? [] : takeRun(sentences.slice(first), MAX_SENTENCES).map((sentence) => quote(sentence, near))
}

function readNear(
  { segments }: Segments,
  { firstSegment, lastSegment }: Pick<Passage, 'firstSegment' | 'lastSegment'>,
) {
  const from = Math.max(0, firstSegment - SPILL_SEGMENTS)
  const near = segments.slice(from, lastSegment + 1 + SPILL_SEGMENTS)
  return { near, sentences: readSentences(endSentences(near)).filter(({ words }) => words.length > 0) }
}

function takeRun(sentences: readonly Sentence[], most: number): Sentence[] {
  const run: Sentence[] = []
  let words = 0
  for (const sentence of sentences.slice(0, most)) {
    words += sentence.words.length
    if (run.length > 0 && words > MAX_QUOTED_WORDS) break
    run.push(sentence)
  }
  return run
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
