import { CUE_NAMES, isAnnouncement, isInstruction, readCues } from './cues.ts'
import { type Sentence, spokenMsOf } from './sentences.ts'

/** How rare each stem is in this recording: about 0 for words that are everywhere, higher for those of one passage. */
export type Rarity = (stem: string) => number

/** Words a block counts for rarity; a quarter of a minute of speech, as in TextTiling (Hearst 1997: about 60 words). */
const RARITY_BLOCK_WORDS = 60

/** Learns from the recording itself which stems are rare, by the share of blocks of speech that contain them. */
export function learnRarity(sentences: readonly Sentence[]): Rarity {
  const blocks: Set<string>[] = []
  let words = RARITY_BLOCK_WORDS
  for (const sentence of sentences) {
    if (words >= RARITY_BLOCK_WORDS) {
      blocks.push(new Set())
      words = 0
    }
    words += sentence.words.length
    for (const stem of sentence.stems) blocks.at(-1)?.add(stem)
  }
  const counts = new Map<string, number>()
  for (const block of blocks) for (const stem of block) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return (stem) => Math.log((blocks.length + 1) / ((counts.get(stem) ?? 0) + 0.5))
}

/** Lexical similarity across each sentence's start: cosine between the words before and after it, 0–1. */
function measureSimilarity(sentences: readonly Sentence[], rarity: Rarity, windowWords: number): number[] {
  return sentences.map((_, index) => {
    const before = gatherStems(sentences, { from: index - 1, step: -1, windowWords })
    const after = gatherStems(sentences, { from: index, step: 1, windowWords })
    return cosine(before, after, rarity)
  })
}

/** Stem counts of the sentences from one on, in one direction, until the window is full. */
function gatherStems(
  sentences: readonly Sentence[],
  { from, step, windowWords }: { from: number; step: 1 | -1; windowWords: number },
): Map<string, number> {
  const counts = new Map<string, number>()
  let words = 0
  for (let index = from; words < windowWords; index += step) {
    const sentence = sentences[index]
    if (sentence === undefined) break
    words += sentence.words.length
    for (const stem of sentence.stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return counts
}

function cosine(left: Map<string, number>, right: Map<string, number>, rarity: Rarity): number {
  let dot = 0
  for (const [stem, count] of left) dot += weigh(stem, count, rarity) * weigh(stem, right.get(stem) ?? 0, rarity)
  const norm = lengthOf(left, rarity) * lengthOf(right, rarity)
  return norm === 0 ? 0 : dot / norm
}

function weigh(stem: string, count: number, rarity: Rarity): number {
  return Math.sqrt(count) * rarity(stem)
}

function lengthOf(counts: Map<string, number>, rarity: Rarity): number {
  return Math.sqrt([...counts].reduce((sum, [stem, count]) => sum + weigh(stem, count, rarity) ** 2, 0))
}

/** How deep each value lies below the nearest peaks on both sides (TextTiling's depth score). */
function measureDepth(values: readonly number[]): number[] {
  return values.map((value, index) => climb(values, index, -1) - value + (climb(values, index, 1) - value))
}

function climb(values: readonly number[], from: number, step: 1 | -1): number {
  let peak = values[from] ?? 0
  for (let index = from + step; ; index += step) {
    const next = values[index]
    if (next === undefined || next < peak) return peak
    peak = next
  }
}

/** Below this a gap is rounding of the times, not silence. */
const SILENCE_MS = 60
/** A recording whose sentences join without silence more often than this has made-up or snapped times. */
const MAX_JOINED_SHARE = 0.7

/**
 * How remarkable the silence before each sentence is, 0–3: its length against this recording's usual pause.
 * All zero where the times between segments were interpolated, since such gaps say nothing.
 */
export function measurePauses(sentences: readonly Sentence[]): number[] {
  const gaps = sentences.slice(1).map((sentence) => sentence.gapMs)
  const joined = gaps.filter((gap) => gap < SILENCE_MS).length
  if (joined > gaps.length * MAX_JOINED_SHARE) return sentences.map(() => 0)
  const silences = gaps.filter((gap) => gap >= SILENCE_MS).toSorted((left, right) => left - right)
  const usual = silences[Math.floor(silences.length / 2)] ?? 0
  return sentences.map((sentence) => Math.min(3, Math.log2(1 + sentence.gapMs / Math.max(usual, SILENCE_MS))))
}

/**
 * The usual step lasts so many seconds times the square root of the recording's seconds, at the usual rate of
 * signposts. Within each group of the benchmark, length grows about with the square root: a short clip has short steps.
 */
const LENGTH_SCALE = 2.9
/** Signposts a minute in guided speech. */
const USUAL_SIGNPOSTS = 4
/** A scripted lecture gives half as many signposts, and its chapters are twice as long as a screencast's. */
const SIGNPOST_POWER = 0.9
/** Fewer announcements a minute say no more about granularity; text without punctuation hides many. */
const MIN_SIGNPOSTS = 1.8
/** Nor do more: a speaker who says "so" all the time has no finer steps. */
const MAX_SIGNPOSTS = 4
/** Instructions halve the usual length at most, or every click would be a step. */
const MAX_SIGNPOSTS_WITH_INSTRUCTIONS = 8
/** Minutes of usual speech that are mixed in, so that a clip of a minute is not judged by two sentences. */
const PRIOR_MINUTES = 1
/** How-to steps consist of instructions to the viewer, so one counts for as much as several announcements. */
const INSTRUCTION_SIGNPOSTS = 3

/**
 * Estimates how long a step usually lasts, from the length of the video and from how often the speaker has announced
 * steps so far.
 * @param lengthMs of the whole video; of the transcript while that is unknown
 */
export function usualStepMs(sentences: readonly Sentence[], lengthMs: number): number {
  const signposts = sentences.reduce((sum, sentence) => sum + countSignposts(sentence), USUAL_SIGNPOSTS * PRIOR_MINUTES)
  const announced = Math.min(MAX_SIGNPOSTS, Math.max(MIN_SIGNPOSTS, ratePerMinute(signposts, sentences)))
  const instructed = INSTRUCTION_SIGNPOSTS * countInstructionsPerMinute(sentences)
  const rate = Math.min(MAX_SIGNPOSTS_WITH_INSTRUCTIONS, announced + instructed)
  return 1_000 * LENGTH_SCALE * Math.sqrt(lengthMs / 1_000) * (USUAL_SIGNPOSTS / rate) ** SIGNPOST_POWER
}

function ratePerMinute(count: number, sentences: readonly Sentence[]): number {
  return count / (spokenMsOf(sentences) / 60_000 + PRIOR_MINUTES)
}

/** How often the speaker instructs the viewer; a minute without instructions is mixed in. */
export function countInstructionsPerMinute(sentences: readonly Sentence[]): number {
  return ratePerMinute(sentences.filter(isInstruction).length, sentences)
}

/** An opening "so" or "now" steers as much as an announcement does. */
const CONNECTIVE = /^(?:so|now|ok|okay|alright|all|well|right)$/

function countSignposts(sentence: Sentence): number {
  return (
    Number(sentence.isQuestion) + Number(CONNECTIVE.test(sentence.words[0] ?? '')) + Number(isAnnouncement(sentence))
  )
}

/** Words on either side of a cut: half a minute, one minute and two minutes of speech at about 150 words a minute. */
const NEAR_WORDS = 60
const MID_WORDS = 150
const FAR_WORDS = 300
/** A stem said this often after a cut and not before it opens a topic. */
const TOPIC_REPEATS = 2
/** Sentences without a question after which the next one counts as the first of a new exchange. */
const ASKING_MEMORY = 6
/** How far an introduction and a farewell reach into a recording. */
const EDGE_MS = 45_000
/** Words that point back at what was just said. */
const ANAPHORA = /^(?:it|it's|that|that's|this|they|them|he|she|these|those|which|him|her|did|not)$/
const ANAPHORA_WORDS = 6

/** Columns of {@link measureFeatures}, in its order; weights are kept by these names. */
export const FEATURE_NAMES: readonly string[] = [
  'depthMid',
  'similarityNear',
  'similarityFar',
  'newTopic',
  'pause',
  'firstQuestion',
  'early',
  'late',
  'anaphora',
  ...CUE_NAMES,
]

/** One row per sentence, in the order of {@link FEATURE_NAMES}: how much each sign speaks for a step that begins there. */
export function measureFeatures(sentences: readonly Sentence[]): number[][] {
  const rarity = learnRarity(sentences)
  const firstMs = sentences[0]?.startMs ?? 0
  const lastMs = sentences.at(-1)?.endMs ?? 0
  const columns = [
    standardize(measureDepth(measureSimilarity(sentences, rarity, MID_WORDS))),
    standardize(measureSimilarity(sentences, rarity, NEAR_WORDS)),
    standardize(measureSimilarity(sentences, rarity, FAR_WORDS)),
    standardize(measureNewTopics(sentences, rarity)),
    measurePauses(sentences),
    sentences.map((_, index) => Number(isFirstQuestion(sentences, index))),
    sentences.map(({ startMs }) => Math.exp((firstMs - startMs) / EDGE_MS)),
    sentences.map(({ startMs }) => Math.exp((startMs - lastMs) / EDGE_MS)),
    sentences.map(({ words }) => words.slice(0, ANAPHORA_WORDS).filter((word) => ANAPHORA.test(word)).length),
  ]
  return sentences.map((sentence, index) => {
    const previous = sentences[index - 1] ?? sentence
    const next = sentences[index + 1] ?? sentence
    return [...columns.map((column) => column[index] ?? 0), ...readCues(sentence, previous, next)]
  })
}

function isFirstQuestion(sentences: readonly Sentence[], index: number): boolean {
  if (!sentences.slice(index, index + 3).some((sentence) => sentence.isQuestion)) return false
  return !sentences.slice(Math.max(0, index - ASKING_MEMORY), index).some((sentence) => sentence.isQuestion)
}

function measureNewTopics(sentences: readonly Sentence[], rarity: Rarity): number[] {
  return sentences.map((_, index) => {
    const before = gatherStems(sentences, { from: index - 1, step: -1, windowWords: FAR_WORDS })
    const after = gatherStems(sentences, { from: index, step: 1, windowWords: NEAR_WORDS })
    let sum = 0
    for (const [stem, count] of after) if (count >= TOPIC_REPEATS && !before.has(stem)) sum += rarity(stem)
    return sum
  })
}

/** Values as distances from this recording's mean, so that long and short, dense and thin talks compare. */
function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length))
  return values.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation))
}
