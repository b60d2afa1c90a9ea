import { readSentences } from '#worker/domain/step/extractive/sentences.ts'
import { type BoundSentence, boundSentences } from './bound-sentences.ts'
import { type Pair, pairSentences } from './pair-sentences.ts'

/** A line of a transcript. */
export interface SpokenLine {
  id: string
  startMs: number
  endMs: number
  text: string
}

/** A step as far as its place in a recording goes. */
export interface AlignedStep {
  id: string
  startMs: number
  endMs: number
}

/** Where a step is in another recording. */
export interface ProposedTime {
  startMs: number
  endMs: number
  /** How sure that is, 0 to 1. */
  confidence: number
}

/** What is said in a new recording that no step has. */
export interface NewSpeech {
  startMs: number
  endMs: number
  text: string
}

/** What is known of two recordings of one procedure. */
export interface Recordings {
  steps: readonly AlignedStep[]
  /** The transcript in which the steps have their times. */
  before: readonly SpokenLine[]
  /** The transcript in which they are to find new ones. */
  after: readonly SpokenLine[]
  language: string | null
}

/** How the steps of a recording lie in another one. */
export interface Alignment {
  /** By the step's id; null where it is not in the new recording. */
  times: Map<string, ProposedTime | null>
  added: NewSpeech[]
}

/** Sentences between two of a step that are not the step's own, at most. */
const INTERRUPTED_MAX = 3
/** Sentences as alike as this are the same for certain. */
const SAME_LIKENESS = 0.6
/** What is left of a sentence's surety where another place is as alike; and how much more alike makes it all. */
const RIVALLED = 0.4
const CLEAR_LEAD = 0.5
/** Below this a step has no counterpart. */
const CONFIDENCE_MIN = 0.2
/** What is said anew is shown from so many letters on; less is "and that is it". */
const NEW_MIN_CHARS = 24
/** Without speech a step is only as sure as its neighbours' distance tells. */
const SILENT_CONFIDENCE = 0.5

/**
 * Finds where the steps of a procedure are in a new recording of it, by what was said in them then and is said now:
 * reworded, misheard, in another order, with steps more or fewer.
 */
export function alignSteps({ steps, before, after, language }: Recordings): Alignment {
  const [first, second] = [before, after].map((lines) => boundSentences(readSentences([...lines], language))) as [
    BoundSentence[],
    BoundSentence[],
  ]
  const own = new Map(steps.map((step) => [step.id, listOwn(step, first)]))
  const starts = new Set([...own.values()].flatMap((indexes) => indexes.slice(0, 1)))
  const textsOf = (sentences: readonly BoundSentence[]) => sentences.map(({ compared }) => compared)
  const pairs = pairSentences(textsOf(first), textsOf(second), starts)
  const times = new Map<string, ProposedTime | null>()
  for (const step of steps) times.set(step.id, placeSpoken(step, own.get(step.id) ?? [], { first, second, pairs }))
  for (const step of steps)
    if (own.get(step.id)?.length === 0) times.set(step.id, placeSilent(step, { first, second, pairs }))
  return { times, added: listNew(second, pairs, [...times.values()]) }
}

/** The sentences whose middle lies in a step. */
function listOwn({ startMs, endMs }: AlignedStep, sentences: readonly BoundSentence[]): number[] {
  return sentences.flatMap((sentence, index) => {
    const middleMs = (sentence.startMs + sentence.endMs) / 2
    return middleMs >= startMs && middleMs < endMs ? [index] : []
  })
}

interface Paired {
  first: readonly BoundSentence[]
  second: readonly BoundSentence[]
  pairs: readonly Pair[]
}

function placeSpoken(step: AlignedStep, own: readonly number[], { first, second, pairs }: Paired): ProposedTime | null {
  const isOwn = new Set(own)
  const group = chooseGroup(pairs.filter((pair) => isOwn.has(pair.first)))
  const confidence = rate(group, own.length)
  const [head, last] = [group[0], group.at(-1)]
  if (head === undefined || last === undefined || confidence < CONFIDENCE_MIN) return null
  const [begin, end] = [second[head.second], second[last.second]] as [BoundSentence, BoundSentence]
  const leadMs = head.first === own[0] ? (first[head.first]?.startMs ?? 0) - step.startMs : 0
  const tailMs = last.first === own.at(-1) ? step.endMs - (first[last.first]?.endMs ?? 0) : 0
  const earliestMs = second[head.second - 1]?.endMs ?? 0
  const latestMs = second[last.second + 1]?.startMs ?? Number.POSITIVE_INFINITY
  return {
    // A step may begin before it is spoken of, but not while something else is.
    startMs: Math.round(Math.min(begin.startMs, Math.max(earliestMs, begin.startMs - Math.max(0, leadMs)))),
    endMs: Math.round(Math.max(end.endMs, Math.min(latestMs, end.endMs + Math.max(0, tailMs)))),
    confidence,
  }
}

/** Of what is said in several places, the one where most of it is. */
function chooseGroup(pairs: readonly Pair[]): Pair[] {
  const groups: Pair[][] = []
  for (const pair of pairs) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && pair.second - last.second <= INTERRUPTED_MAX) groups.at(-1)?.push(pair)
    else groups.push([pair])
  }
  const sum = (group: readonly Pair[]) => group.reduce((total, { likeness }) => total + likeness, 0)
  return groups.reduce<Pair[]>((best, group) => (sum(group) > sum(best) ? group : best), [])
}

/**
 * The share of a step's sentences that are said again, each by how alike it is and how much more so than to what is
 * said elsewhere.
 */
function rate(group: readonly Pair[], ownCount: number): number {
  const bests = new Map<number, number>()
  for (const { first, likeness, rival } of group) {
    const lead = Math.max(0, likeness - rival) / (likeness || 1)
    const surety = Math.min(1, likeness / SAME_LIKENESS) * (RIVALLED + (1 - RIVALLED) * Math.min(1, lead / CLEAR_LEAD))
    bests.set(first, Math.max(bests.get(first) ?? 0, surety))
  }
  return ownCount === 0 ? 0 : [...bests.values()].reduce((sum, surety) => sum + surety, 0) / ownCount
}

/** A step in which nothing is said lies between the same sentences as before, where these still follow each other. */
function placeSilent({ startMs, endMs }: AlignedStep, { first, second, pairs }: Paired): ProposedTime | null {
  const before = first.findLastIndex((sentence) => sentence.endMs <= startMs)
  const after = first.findIndex((sentence) => sentence.startMs >= endMs)
  const leading = pairs.findLast((pair) => pair.first === before)
  const following = pairs.find((pair) => pair.first === after)
  if (leading === undefined || following === undefined || following.second !== leading.second + 1) return null
  const old = { fromMs: first[before]?.endMs ?? 0, toMs: first[after]?.startMs ?? 0 }
  const now = { fromMs: second[leading.second]?.endMs ?? 0, toMs: second[following.second]?.startMs ?? 0 }
  if (now.toMs - now.fromMs <= 0) return null
  const place = (ms: number) =>
    Math.round(now.fromMs + ((ms - old.fromMs) / (old.toMs - old.fromMs)) * (now.toMs - now.fromMs))
  const confidence =
    SILENT_CONFIDENCE * Math.min(1, leading.likeness / SAME_LIKENESS, following.likeness / SAME_LIKENESS)
  return { startMs: place(startMs), endMs: place(endMs), confidence }
}

/** What is said outside of the steps and does not repeat what was said outside of them before. */
function listNew(
  second: readonly BoundSentence[],
  pairs: readonly Pair[],
  times: readonly (ProposedTime | null)[],
): NewSpeech[] {
  const repeated = new Set(pairs.flatMap(({ second: at, likeness }) => (likeness >= CONFIDENCE_MIN ? [at] : [])))
  const isInside = ({ startMs, endMs }: BoundSentence) =>
    times.some((time) => time !== null && (startMs + endMs) / 2 >= time.startMs && (startMs + endMs) / 2 < time.endMs)
  const stretches: NewSpeech[] = []
  let isOpen = false
  for (const [at, sentence] of second.entries()) {
    const isNew = !repeated.has(at) && !isInside(sentence)
    const { startMs, endMs, text } = sentence
    const last = stretches.at(-1)
    if (isNew && isOpen && last !== undefined) Object.assign(last, { endMs, text: `${last.text} ${text}` })
    else if (isNew) stretches.push({ startMs, endMs, text })
    isOpen = isNew
  }
  return stretches.filter(({ text }) => text.length >= NEW_MIN_CHARS)
}
