/** Where the search words are in the text of a line. */
export interface Match {
  lineId: string
  start: number
  end: number
}

/** All places in the order of the lines, whatever the case; white space is any white space. */
export function findMatches(lines: readonly { id: string; text: string }[], words: string): Match[] {
  const wanted = words.trim()
  if (wanted === '') return []
  const pattern = new RegExp(wanted.split(/\s+/).map(escapePattern).join(String.raw`\s+`), 'giu')
  return lines.flatMap(({ id, text }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ lineId: id, start: index, end: index + found.length })),
  )
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
}
