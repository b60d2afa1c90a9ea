import type { TutorIndex } from './open-index.ts'
import { listSynonyms } from './synonyms.ts'
import { findWords, isAskingWord, isNumberWord, isTerm, stemTerm } from './words.ts'

/** A sentence of an answer with the segments that it is taken from. */
export interface CitedSentence {
  text: string
  segmentIds: readonly string[]
}

/** Share of a sentence's own words that its segments have to have. */
const MIN_SUPPORT = 0.6
/** Words after a denial that it reaches. */
const DENIAL_REACH = 4
const DENIES = /^(?:not|never|no|none|nothing|neither|nor|cannot|without|unless|\p{L}+n't)$/u

/**
 * Keeps of each sentence the citations that hold: the segment exists and has words of the sentence, and all of them
 * together have most of its words, all its numbers and the same denials. Strict and lexical: what is said in entirely
 * other words counts as unsupported.
 * @returns the sentences as given, those that nothing supports with no segment
 */
export function checkCitations<Sentence extends CitedSentence>(
  sentences: readonly Sentence[],
  index: Pick<TutorIndex, 'segments'>,
): Sentence[] {
  const texts = new Map(index.segments.map((segment) => [segment.id, segment.text]))
  return sentences.map((sentence) => ({ ...sentence, segmentIds: keepSupporting(sentence, texts) }))
}

function keepSupporting({ text, segmentIds }: CitedSentence, texts: ReadonlyMap<string, string>): string[] {
  const claim = readClaim(text)
  const existing = [...new Set(segmentIds)].filter((id) => texts.has(id))
  const kept = existing.filter((id) => countShared(claim, readClaim(texts.get(id) ?? '')) > 0)
  const source = readClaim(kept.map((id) => texts.get(id) ?? '').join(' '))
  return isSupported(claim, source) ? kept : []
}

interface Claim {
  /** Stems of the words that say something, each once. */
  stems: ReadonlySet<string>
  numbers: ReadonlySet<string>
  /** Stems that are denied somewhere, and those that are affirmed somewhere. */
  denied: ReadonlySet<string>
  affirmed: ReadonlySet<string>
}

function readClaim(text: string): Claim {
  const stems = new Set<string>()
  const numbers = new Set<string>()
  const denied = new Set<string>()
  const affirmed = new Set<string>()
  let reach = 0
  for (const { word } of findWords(text)) {
    const stem = stemTerm(word)
    if (/^\d/.test(stem)) {
      // "one" is a pronoun more often than a number.
      if (stem !== '1' || !isNumberWord(word)) numbers.add(stem.replaceAll(',', ''))
    }
    if (DENIES.test(word)) reach = DENIAL_REACH + 1
    else if (isTerm(word)) {
      if (!isAskingWord(stem)) stems.add(stem)
      ;(reach > 0 ? denied : affirmed).add(stem)
    }
    reach = Math.max(0, reach - 1)
  }
  return { stems, numbers, denied, affirmed }
}

function countShared(claim: Claim, source: Claim): number {
  return [...claim.stems].filter((stem) => has(source.stems, stem)).length
}

function has(stems: ReadonlySet<string>, stem: string): boolean {
  return stems.has(stem) || [...listSynonyms(stem)].some((other) => stems.has(other))
}

function isSupported(claim: Claim, source: Claim): boolean {
  if (claim.stems.size === 0) return false
  if ([...claim.numbers].some((number) => !source.numbers.has(number))) return false
  if (countShared(claim, source) / claim.stems.size < MIN_SUPPORT) return false
  const isContrary = (stem: string): boolean =>
    (source.affirmed.has(stem) && claim.denied.has(stem) && !claim.affirmed.has(stem) && !source.denied.has(stem)) ||
    (claim.affirmed.has(stem) && !claim.denied.has(stem) && source.denied.has(stem) && !source.affirmed.has(stem))
  return ![...claim.denied, ...claim.affirmed].some(isContrary)
}
