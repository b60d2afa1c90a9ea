/** A word of a training and its translation; both are equal for a name that stays. */
export interface Term {
  word: string
  text: string
}

/** An entry such as `spindle = husillo (es)` says how a word is translated into one language. */
function readEntry(entry: string): { word: string; text: string; tag: string | null } {
  const offset = entry.indexOf('=')
  const tag = /\(([a-z]{2})\)$/i.exec(entry)?.[1]
  if (offset === -1 || tag === undefined) return { word: entry, text: entry, tag: null }
  return { word: entry.slice(0, offset).trim(), text: entry.slice(offset + 1, -4).trim(), tag: tag.toLowerCase() }
}

function listEntries(glossary: string | null): string[] {
  const entries = (glossary ?? '').split(/[,;\n]/).map((entry) => entry.trim())
  return entries.filter((entry) => entry.length > 1)
}

/** The words of a glossary as they are spoken and written in its training, without their translations. */
export function spokenWords(glossary: string | null): string | null {
  if (glossary === null || !glossary.includes('=')) return glossary
  const words = listEntries(glossary).map((entry) => readEntry(entry).word)
  return [...new Set(words)].join(', ')
}

/** German writes every noun with a capital: only one inside a word, or two, make a name of it. */
const NAMES: Readonly<Record<string, RegExp>> = { de: /\d|[\p{L}\p{N}]\p{Lu}/u }
const NAME = /\d|\p{Lu}/u

/**
 * Reads how the words of a module's glossary are translated: as it says, and names of things not at all. Common words
 * without a translation are there for the recogniser, and left to the translator.
 * @param from primary tag of the language of the training
 * @param to of the translation
 */
export function readTerms({ glossary }: { glossary: string | null }, from: string, to: string): Term[] {
  const entries = listEntries(glossary).map(readEntry)
  const chosen = entries.flatMap(({ word, text, tag }) => (tag === to ? [{ word, text }] : []))
  // The module's own come first, before those of its organization.
  const byWord = new Map<string, Term>()
  for (const term of chosen) if (!byWord.has(term.word.toLowerCase())) byWord.set(term.word.toLowerCase(), term)
  const words = new Set(entries.map(({ word }) => word))
  const keptNames = [...words].filter((word) => !byWord.has(word.toLowerCase()) && (NAMES[from] ?? NAME).test(word))
  return [...byWord.values(), ...keptNames.map((word) => ({ word, text: word }))]
}

/** The terms that a source has and its translation lacks. */
export function findLostTerms(terms: readonly Term[], { source, text }: { source: string; text: string }): Term[] {
  return terms.filter((term) => includesWords(source, term.word) && !includesWords(text, term.text))
}

/** Whether a text has some words, whatever their letters' case. */
export function includesWords(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase())
}
