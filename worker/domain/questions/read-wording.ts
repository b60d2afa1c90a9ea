import { findWords, isAskingWord, isTerm, stemTerm } from '#worker/domain/tutor/words.ts'

/** This many words distinguish one question from another; the rest of a long one adds nothing. */
const MAX_TERMS = 40
/** How much a word counts by which people only ask, and what kind of question it is, beside one that names something. */
const ASKING_WEIGHT = 0.3
const KIND_WEIGHT = 0.8

/** Words by which questions ask for nothing in particular, beside those of the tutor; some as people type them. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'find know understand see look help please hear follow sure able try cant dont doesnt didnt wont isnt im whats wheres hows'
    .split(' ')
    .map(stemTerm),
)
/** With one of these behind it, "how" asks for a way; "how tight" asks for what is tight. */
const WAY = /^(?:to|do|does|did|can|could|should|would|will|is|are|was|i|you|we)$/
/** With one of these behind it, "what" asks for a meaning; "what pressure" asks for the pressure. */
const MEANING = /^(?:is|are|was|were|does|do|did)$/
const KINDS: Readonly<Record<string, RegExp | null>> = {
  where: null,
  when: null,
  why: null,
  who: null,
  how: WAY,
  what: MEANING,
}

/** A question as it can be compared. */
export interface Wording {
  /** Its words without marks and casing. Alike for questions that are the same but for them. */
  words: string
  /** Whether some word of it names something. "What is this?" means something else in every place. */
  isNaming: boolean
  /** The stems of what it asks about and what kind of question it is, each once, with how much each kind of term counts. */
  terms: ReadonlyMap<string, number>
}

/** Reads what a question asks. */
export function readWording(text: string): Wording {
  const words = findWords(text).map(({ word }) => word)
  const terms = new Map<string, number>()
  for (const word of words) {
    if (terms.size === MAX_TERMS) break
    const stem = stemTerm(word)
    if (isTerm(word) && !terms.has(stem)) terms.set(stem, weighStem(stem))
  }
  const isNaming = [...terms.values()].includes(1)
  const kind = findKind(words)
  if (isNaming && kind !== null) terms.set(`?${kind}`, KIND_WEIGHT)
  return { words: words.join(' ') || text.trim(), isNaming, terms: isNaming ? terms : new Map() }
}

function weighStem(stem: string): number {
  return isAskingWord(stem) || EMPTY_WORDS.has(stem) ? ASKING_WEIGHT : 1
}

/** What the first word of questions in it asks for; null where it asks for a thing, or is no such question. */
function findKind(words: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    const asking = word.replace(/'?(?:s|re)$/, '')
    const behind = Object.hasOwn(KINDS, word) ? KINDS[word] : null
    if (Object.hasOwn(KINDS, word)) return behind?.test(words[at + 1] ?? '') === false ? null : word
    if (Object.hasOwn(KINDS, asking)) return asking
  }
  return null
}
