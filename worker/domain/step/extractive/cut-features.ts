import { gatherStems, learnRarity, measureDepth, measureSimilarity, type Rarity } from './cohesion.ts'
import { CUE_NAMES, readCues } from './cues.ts'
import { measurePauses } from './pauses.ts'
import type { Sentence } from './sentences.ts'

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
  const columns = [
    standardize(measureDepth(measureSimilarity(sentences, rarity, MID_WORDS))),
    standardize(measureSimilarity(sentences, rarity, NEAR_WORDS)),
    standardize(measureSimilarity(sentences, rarity, FAR_WORDS)),
    standardize(measureNewTopics(sentences, rarity)),
    measurePauses(sentences),
    sentences.map((_, index) => Number(isFirstQuestion(sentences, index))),
    ...measureEdges(sentences),
    sentences.map(countAnaphora),
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

function measureEdges(sentences: readonly Sentence[]): [number[], number[]] {
  const firstMs = sentences[0]?.startMs ?? 0
  const lastMs = sentences.at(-1)?.endMs ?? 0
  return [
    sentences.map((sentence) => Math.exp((firstMs - sentence.startMs) / EDGE_MS)),
    sentences.map((sentence) => Math.exp((sentence.startMs - lastMs) / EDGE_MS)),
  ]
}

function countAnaphora(sentence: Sentence): number {
  return sentence.words.slice(0, ANAPHORA_WORDS).filter((word) => ANAPHORA.test(word)).length
}

/** Values as distances from this recording's mean, so that long and short, dense and thin talks compare. */
function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length)
  const deviation = Math.sqrt(variance)
  return values.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation))
}
