/** Parts of words, each with how much it tells in a text. */
type Weighted = Map<string, number>

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

/** Counts in how many texts each part is. */
function countTexts(texts: readonly string[][]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const parts of texts) for (const part of new Set(parts)) counts.set(part, (counts.get(part) ?? 0) + 1)
  return counts
}

/** The parts of a text as a vector of length 1; parts that many texts have tell little (tf-idf). */
function weigh(parts: readonly string[], counts: ReadonlyMap<string, number>, textCount: number): Weighted {
  const weights: Weighted = new Map()
  for (const part of parts) {
    const rarity = Math.log((textCount + 1) / (counts.get(part) ?? 1))
    weights.set(part, (weights.get(part) ?? 0) + rarity)
  }
  const length = Math.hypot(...weights.values()) || 1
  return new Map([...weights].map(([part, weight]) => [part, weight / length]))
}

/** How alike the sentences of two transcripts are. */
export interface Likeness {
  /** For a sentence of the second, how alike each of the first is to it, 0 to 1. */
  readRow(second: number): Float32Array
}

/** Compares the sentences of two transcripts by the parts of their words. */
export function compareSentences(first: readonly string[], second: readonly string[]): Likeness {
  const [some, others] = [first.map(listParts), second.map(listParts)]
  const counts = countTexts([...some, ...others])
  const textCount = some.length + others.length
  /** Which sentences of the first have a part. */
  const places = new Map<string, [number, number][]>()
  for (const [index, parts] of some.entries()) {
    for (const [part, weight] of weigh(parts, counts, textCount)) {
      const listed = places.get(part)
      if (listed === undefined) places.set(part, [[index, weight]])
      else listed.push([index, weight])
    }
  }
  return {
    readRow: (at) => {
      const row = new Float32Array(first.length)
      for (const [part, weight] of weigh(others[at] ?? [], counts, textCount))
        for (const [index, other] of places.get(part) ?? []) row[index] = (row[index] ?? 0) + weight * other
      return row
    },
  }
}
