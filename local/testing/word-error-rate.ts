/** Words as word error rate compares them: lower case, no punctuation, hyphens split, apostrophes inside a word kept. */
export function comparableWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []
  )
}

/**
 * Word error rate: the fewest substitutions, deletions and insertions that turn the recognised words into the reference,
 * divided by the reference's words. 0 is perfect; it exceeds 1 when more is invented than was said.
 * An empty reference gives 0 when nothing was recognised, else 1.
 */
export function wordErrorRate(reference: string, recognised: string): number {
  const said = comparableWords(reference)
  const words = comparableWords(recognised)
  if (said.length === 0) return words.length === 0 ? 0 : 1
  return editDistance(said, words) / said.length
}

function editDistance(from: string[], to: string[]): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, word] of from.entries()) {
    const current = [row + 1]
    for (const [column, other] of to.entries()) {
      const substituted = at(previous, column) + (word === other ? 0 : 1)
      current.push(Math.min(substituted, at(previous, column + 1) + 1, at(current, column) + 1))
    }
    previous = current
  }
  return at(previous, to.length)
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
