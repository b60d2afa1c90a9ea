import type { MeasuredPassage, Signs } from './measure-passages.ts'
import { type Passage, readAround, type TutorIndex } from './open-index.ts'

/** A passage with its place among the others. */
export interface RankedPassage extends Passage {
  /** Log odds against the others; only differences within one question mean something. */
  score: number
  signs: Signs
}

/** All passages of a recording with their scores, in time order. */
interface Scored {
  measured: readonly MeasuredPassage[]
  scores: readonly number[]
}

/** Passages that are given; an answer quotes two or three. */
const MAX_PASSAGES = 6

/**
 * Chooses the passages to read: the likeliest one, then each time the one that adds most of the chance that is left.
 * Good ones crowd around the same words, and a second reading of these finds nothing new.
 * @returns best first; none overlaps a better one
 */
export function choosePassages(index: TutorIndex, scored: Scored): RankedPassage[] {
  const { measured, scores } = scored
  const chances = findChances(scores)
  const shares = shareChances(index.passages, chances)
  const unread = spreadChances(index, chances)
  const wide = index.passages.map((passage) => readAround(index, passage))
  const chosen: RankedPassage[] = []
  let at = findPeak(scored, findMost(shares))
  while (at >= 0) {
    const { passage, signs } = measured[at] as MeasuredPassage
    chosen.push({ ...passage, signs, score: scores[at] as number })
    if (chosen.length === MAX_PASSAGES) break
    const { firstSegment, lastSegment } = wide[at] as Passage
    unread.fill(0, firstSegment, lastSegment + 1)
    at = findMost(addUnread({ passages: index.passages, wide }, unread, chosen))
  }
  return chosen
}

/** Of all passages of one question they sum to 1. */
function findChances(scores: readonly number[]): number[] {
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  const odds = scores.map((score) => Math.exp(score - top))
  const total = odds.reduce((sum, each) => sum + each, 0)
  return odds.map((each) => each / total)
}

/** The first of the greatest values; -1 where none is above nothing. */
function findMost(values: readonly number[]): number {
  return values.reduce((most, value, at) => (value > (values[most] ?? 0) ? at : most), -1)
}

/**
 * Passages overlap, so the chance that an answer is in one is that of all passages that share words with it, by how
 * much they share.
 */
function shareChances(passages: readonly Passage[], chances: readonly number[]): number[] {
  return passages.map((passage, index) => {
    let sum = chances[index] as number
    for (let other = index - 1; shared(passages[other], passage) > 0; other -= 1)
      sum += (chances[other] as number) * shared(passages[other], passage)
    for (let other = index + 1; shared(passage, passages[other]) > 0; other += 1)
      sum += (chances[other] as number) * shared(passage, passages[other])
    return sum
  })
}

/**
 * The share of the earlier passage's end that the later one begins with, squared: halves that share an answer count
 * for less than half. Chosen by held-out hits among the best three.
 */
function shared(earlier: Passage | undefined, later: Passage | undefined): number {
  if (earlier === undefined || later === undefined) return 0
  return Math.min(1, Math.max(0, earlier.to - later.from) / (later.to - later.from)) ** 2
}

/**
 * The likeliest of the passages that begin in the first half of one: the share shows roughly where an answer is, the
 * score where it begins.
 */
function findPeak({ measured, scores }: Scored, first: number): number {
  if (first === -1) return first
  const passageAt = (index: number) => (measured[index] as MeasuredPassage).passage
  const { from, to } = passageAt(first)
  let peak = first
  for (let index = first + 1; index < measured.length && passageAt(index).from < (from + to) / 2; index += 1)
    if ((scores[index] as number) > (scores[peak] as number)) peak = index
  return peak
}

/** The chance that an answer is in each segment: that of a passage is spread over its words. */
function spreadChances({ passages, tokens, segments }: TutorIndex, chances: readonly number[]): Float64Array {
  const words = new Float64Array(segments.length)
  for (const { segmentIndex } of tokens) words[segmentIndex] = (words[segmentIndex] as number) + 1
  const spread = new Float64Array(segments.length)
  passages.forEach(({ from, to, firstSegment, lastSegment }, index) => {
    const each = (chances[index] as number) / (to - from)
    for (let segment = firstSegment; segment <= lastSegment; segment += 1)
      spread[segment] = (spread[segment] as number) + each * (words[segment] as number)
  })
  return spread
}

interface Windows {
  passages: readonly Passage[]
  /** Each of them with what is read around it. */
  wide: readonly Passage[]
}

/**
 * What each passage would add: what is said in it counts twice, what is read around it once, so that it begins where the
 * answer is likely. Nothing where it overlaps one that is already chosen.
 */
function addUnread({ passages, wide }: Windows, unread: Float64Array, chosen: readonly Passage[]): number[] {
  const sums = new Float64Array(unread.length + 1)
  for (let segment = 0; segment < unread.length; segment += 1)
    sums[segment + 1] = (sums[segment] as number) + (unread[segment] as number)
  const sumOf = ({ firstSegment, lastSegment }: Passage) =>
    (sums[lastSegment + 1] as number) - (sums[firstSegment] as number)
  return passages.map((passage, index) => {
    const isApart = chosen.every(({ from, to }) => passage.to <= from || passage.from >= to)
    return isApart ? sumOf(passage) + sumOf(wide[index] as Passage) : 0
  })
}
