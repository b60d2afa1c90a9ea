/**
 * Removes what a text ends with, one character after the other. A pattern such as `/\s+$/` looks again, from each blank
 * of a long row of them, whether the row ends the text.
 * @param isTrimmed matches a single character that goes
 */
export function trimEndOf(text: string, isTrimmed: RegExp): string {
  const chars = Array.from(text)
  return chars.slice(0, chars.findLastIndex((char) => !isTrimmed.test(char)) + 1).join('')
}
