import { GLOSSARY_MAX_CHARS } from '#contract/limits.ts'

/**
 * A glossary with some more words, each once, in the form that it has: by lines or by commas.
 * @returns null when there is no room for all of them
 */
export function extendGlossary(glossary: string | null, words: readonly string[]): string | null {
  const known = (glossary ?? '')
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const seen = new Set(known.map(fold))
  const added = words
    .map((word) => word.trim())
    .filter((word) => word !== '' && !seen.has(fold(word)) && seen.add(fold(word)))
  if (added.length === 0) return glossary ?? ''
  const separator = glossary?.includes('\n') === true ? '\n' : ', '
  const longer = [...(known.length === 0 ? [] : [(glossary ?? '').trim().replace(/[,;]$/, '')]), ...added].join(
    separator,
  )
  return longer.length > GLOSSARY_MAX_CHARS ? null : longer
}

function fold(word: string): string {
  return word.toLowerCase()
}
