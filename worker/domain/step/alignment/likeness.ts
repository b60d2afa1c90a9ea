const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The parts of three letters of a text's words: what recognisers mishear of a word, and its endings in any language,
 * leave most of them as they are.
 */
function listParts(text: string): string[] {
  const words = [...segmenter.segment(text.normalize('NFKC').toLowerCase())].filter(({ isWordLike }) => isWordLike)
  return words.flatMap(({ segment }) => {
    const letters = Array.from(` ${segment} `)
    return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''))
  })
}

/** Gives each part a number, which takes less memory than its letters. */
class PartNumbers {
  readonly #numbers = new Map<string, number>()
  /** In how many texts each is. */
  readonly counts: number[] = []

  /** The parts of a text, each with how often it is in it. */
  read(text: string): Map<number, number> {
    const parts = new Map<number, number>()
    for (const part of listParts(text)) {
      const number = this.#numberOf(part)
      parts.set(number, (parts.get(number) ?? 0) + 1)
    }
    for (const number of parts.keys()) this.counts[number] = (this.counts[number] ?? 0) + 1
    return parts
  }

  #numberOf(part: string): number {
    const number = this.#numbers.get(part) ?? this.#numbers.size
    this.#numbers.set(part, number)
    return number
  }
}

/** Parts with how much each tells in a text. */
type Weighted = [part: number, weight: number][]

/**
 * A part that more texts have tells next to nothing, and would cost the most: one in ten of many texts, and any number of
 * few.
 */
const COMMON_SHARE = 0.1
const COMMON_MIN = 50

/** The parts of a text as a vector of length 1; parts that many texts have tell little (tf-idf). */
function weigh(parts: ReadonlyMap<number, number>, counts: readonly number[], textCount: number): Weighted {
  const most = Math.max(COMMON_MIN, COMMON_SHARE * textCount)
  const weights = [...parts].flatMap(([part, times]): Weighted => {
    const count = counts[part] ?? 1
    return count > most ? [] : [[part, times * Math.log((textCount + 1) / count)]]
  })
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1
  return weights.map(([part, weight]) => [part, weight / length])
}

/** How alike the sentences of two transcripts are. */
export interface Likeness {
  /** For a sentence of the second, how alike each of the first is to it, 0 to 1. */
  readRow(second: number): Float32Array
}

/** Compares the sentences of two transcripts by the parts of their words. */
export function compareSentences(first: readonly string[], second: readonly string[]): Likeness {
  const numbers = new PartNumbers()
  const [some, others] = [first, second].map((texts) => texts.map((text) => numbers.read(text))) as [
    Map<number, number>[],
    Map<number, number>[],
  ]
  const textCount = some.length + others.length
  /** Which sentences of the first have a part, and how much it tells there. */
  const places = new Map<number, Weighted>()
  for (const [index, parts] of some.entries()) {
    for (const [part, weight] of weigh(parts, numbers.counts, textCount)) {
      const listed = places.get(part)
      if (listed === undefined) places.set(part, [[index, weight]])
      else listed.push([index, weight])
    }
  }
  return {
    readRow: (at) => {
      const row = new Float32Array(first.length)
      for (const [part, weight] of weigh(others[at] ?? new Map<number, number>(), numbers.counts, textCount))
        for (const [index, other] of places.get(part) ?? []) row[index] = (row[index] ?? 0) + weight * other
      return row
    },
  }
}
