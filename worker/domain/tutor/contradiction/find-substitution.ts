import type { Said } from '../words/read-clauses.ts'
import { readList, stemsOf, takeAway } from '../words/stem-sets.ts'
import { listSynonyms } from '../words/synonyms.ts'
import { speaksOfSame } from './speaks-of-same.ts'

/** Terms on either side that are compared, and how many of all have to be the same. */
const NEAR_TERMS = 2
const LEAST_SAME = 2
/** Other terms of the claim that may be missing in the source: with more, it is worded freely. */
const MOST_OTHERS_UNSAID = 1
/** Words that begin alike are spellings of one word. */
const ALIKE_CHARS = 4
/** Words that other languages do not have: the lists here are English, and capitals begin all nouns in German. */
const ENGLISH = /^(?:the|and|you)$/
const BEFORE_NOUNS = readList(
  `a an the my your our his her its their each every all no another in of as with by from at on
  for about called is are`,
)
const NO_NOUN = /(?:ed|ing|ly)$/
/** Words that stand for any other. */
const STANDS_FOR_ANY = /^(?:little|bit|lot|kind|sort|thing|things|way|ways|part|parts|one|ones|other|others|another)$/

/**
 * Whether a claim has a thing, a name or a quality in the place of another one: "in the Properties panel" for "in the
 * Layers panel". The words next to both are the same, and with these only the other one is said.
 */
export function hasSubstitution(said: readonly Said[], sourceSaid: readonly Said[]): boolean {
  if (!sourceSaid.some(({ word }) => ENGLISH.test(word))) return false
  const claim = said.filter(isAnchor)
  const source = sourceSaid.filter(isAnchor)
  const stems = stemsOf(source)
  const unsaid = takeAway(stemsOf(claim), stems)
  return claim.some((word, at) => {
    const othersUnsaid = unsaid.size - Number(unsaid.has(word.stem))
    if (othersUnsaid > MOST_OTHERS_UNSAID || !isNominal(said, word)) return false
    const countSame = (place: number) => countSameNear({ claim, at, source, place })
    if (source.some(({ stem }, place) => stem === word.stem && countSame(place) >= LEAST_SAME)) return false
    return source.some((other, place) => {
      const isName = word.isCapital && other.isCapital
      const isSure = !stems.has(word.stem) && (isName || othersUnsaid === 0)
      if (countSame(place) < (isSure ? LEAST_SAME : LEAST_SAME + 1)) return false
      if (stemsOf(claim).has(other.stem) || isAlike(word.stem, other.stem) || !isNominal(sourceSaid, other))
        return false
      if (!speaksOfSame(claim, source, place)) return false
      return !source.some(({ stem, sentence }) => stem === word.stem && sentence === other.sentence)
    })
  })
}

function isAnchor({ kind }: Said): boolean {
  return kind === 'term' || kind === 'number'
}

interface Pair {
  claim: readonly Said[]
  at: number
  source: readonly Said[]
  place: number
}

function countSameNear(pair: Pair): number {
  return countSameTowards(pair, -1) + countSameTowards(pair, 1)
}

/** How many terms on one side of two words are the same, without a gap; that both end a sentence counts as one. */
function countSameTowards({ claim, at, source, place }: Pair, step: -1 | 1): number {
  for (let same = 0; same < NEAR_TERMS; same += 1) {
    const [own, other] = [claim[at + (same + 1) * step], source[place + (same + 1) * step]]
    const isEnd = own?.sentence !== claim[at]?.sentence
    if (isEnd && step > 0 && other?.clause !== source[place]?.clause) return same + 1
    if (isEnd || other?.sentence !== source[place]?.sentence || own?.stem !== other?.stem) return same
  }
  return NEAR_TERMS
}

/** Spellings of one word, and words for the same. */
function isAlike(one: string, other: string): boolean {
  return listSynonyms(one).has(other) || one.slice(0, ALIKE_CHARS) === other.slice(0, ALIKE_CHARS)
}

/** Whether a word is a thing, a name or a quality rather than an action. */
function isNominal(said: readonly Said[], word: Said): boolean {
  if (word.kind !== 'term' || word.limits !== null) return false
  if (NO_NOUN.test(word.word) || STANDS_FOR_ANY.test(word.word)) return false
  const before = said[said.indexOf(word) - 1]
  return word.isCapital || word.word.length === 1 || (before !== undefined && BEFORE_NOUNS.has(before.stem))
}
