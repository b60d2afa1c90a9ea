/** Words as word error rate compares them: lower case, no punctuation, hyphens split, apostrophes inside a word kept. */
export function comparableWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu) ?? []
  )
}

/**
 * Word error rate: the fewest substitutions, deletions and insertions that turn the recognised words into the reference,
 * divided by the reference's words. 0 is perfect; it exceeds 1 when more is invented than was said.
 * An empty reference gives 0 when nothing was recognised, else 1.
 */
export function wordErrorRate(reference: string, recognised: string): number {
  return errorRate(comparableWords(reference), comparableWords(recognised))
}

/** The same by characters, for languages that are written without blanks between words. */
export function characterErrorRate(reference: string, recognised: string): number {
  const charactersOf = (text: string) => Array.from(comparableWords(text).join(''))
  return errorRate(charactersOf(reference), charactersOf(recognised))
}

function errorRate(said: string[], recognised: string[]): number {
  if (said.length === 0) return recognised.length === 0 ? 0 : 1
  return editDistance(said, recognised) / said.length
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
