import { type Said, stemSaid } from '../words/read-clauses.ts'
import { listSynonyms } from '../words/synonyms.ts'
import { findWords } from '../words/words.ts'

/** Words of English sentences: other languages begin other words with capitals, or translate names. */
const ENGLISH = /^(?:the|and|you|to|of|is)$/
/** Letters of a name that have to be said: the rest may be spelled otherwise. A single one is an abbreviation of ours. */
const ALIKE_CHARS = { least: 2, most: 4 }
/**
 * Whether a claim names something that is said nowhere, as it would a number: a key, a program, a person, a format. Names
 * that are written together or apart are the same.
 * @param shown all that the claim may be from
 */
export function hasUnsaidName(claim: readonly Said[], shown: readonly { text: string }[]): boolean {
  const names = claim.filter(
    ({ kind, word, isCapital }) => kind === 'term' && isCapital && word.length >= ALIKE_CHARS.least,
  )
  if (names.length === 0 || !claim.some(({ word }) => ENGLISH.test(word))) return false
  const words = shown.flatMap(({ text }) => findWords(text))
  if (!words.includes('the')) return false
  const stems = new Set(words.map(stemSaid))
  const joined = words.join('')
  return names.some(({ word, stem }) => {
    const name = word.replace(/'s$/, '')
    if (stems.has(stem)) return false
    const begins = name.slice(0, ALIKE_CHARS.most)
    const isAlike = words.some((said) => said.startsWith(begins) || (said.length > 2 && name.startsWith(said)))
    const isWithin = name.length >= ALIKE_CHARS.most && joined.includes(name)
    return !isAlike && !isWithin && ![...listSynonyms(stem)].some((other) => stems.has(other))
  })
}
