/**
 * Removes what a text ends with, one character after the other. A pattern such as `/\s+$/` looks again, from each blank
 * of a long row of them, whether the row ends the text.
 * @param isTrimmed matches a single character that goes
 */
export function trimEndOf(text: string, isTrimmed: RegExp): string {
  let end = text.length
  for (;;) {
    const start = end - (isLowSurrogate(text.charCodeAt(end - 1)) ? 2 : 1)
    if (start < 0 || !isTrimmed.test(text.slice(start, end))) return text.slice(0, end)
    end = start
  }
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
