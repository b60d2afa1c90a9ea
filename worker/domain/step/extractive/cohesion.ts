import type { Sentence } from './sentences.ts'

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
export function measureSimilarity(sentences: readonly Sentence[], rarity: Rarity, windowWords: number): number[] {
  return sentences.map((_, index) => {
    const before = gatherStems(sentences, { from: index - 1, step: -1, windowWords })
    const after = gatherStems(sentences, { from: index, step: 1, windowWords })
    return cosine(before, after, rarity)
  })
}

interface Walk {
  from: number
  step: 1 | -1
  windowWords: number
}

/** Stem counts of the sentences from one on, in one direction, until the window is full. */
export function gatherStems(sentences: readonly Sentence[], { from, step, windowWords }: Walk): Map<string, number> {
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
  let sum = 0
  for (const [stem, count] of counts) sum += weigh(stem, count, rarity) ** 2
  return Math.sqrt(sum)
}

/** How deep each value lies below the nearest peaks on both sides (TextTiling's depth score). */
export function measureDepth(values: readonly number[]): number[] {
  return values.map((value, index) => {
    const left = climb(values, index, -1)
    const right = climb(values, index, 1)
    return left - value + (right - value)
  })
}

function climb(values: readonly number[], from: number, step: 1 | -1): number {
  let peak = values[from] ?? 0
  for (let index = from + step; ; index += step) {
    const next = values[index]
    if (next === undefined || next < peak) return peak
    peak = next
  }
}
