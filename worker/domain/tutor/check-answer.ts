import { isTimeMarker } from '#contract/tutor.ts'
import type { TutorIndex } from './open-index.ts'
import { listSynonyms } from './synonyms.ts'
import { findWords, isAskingWord, isNumberWord, isTerm, stemTerm } from './words.ts'

/** Lengths that no honest answer about a video has; what is longer is cut at a word. */
const MAX_ANSWER_CHARS = 4_000
/** What is looked at of a text; four times what may be left of it. */
const MAX_LOOKED_AT_CHARS = 4 * MAX_ANSWER_CHARS

/**
 * What may be shown of an answer: text alone. Lines that begin with a start-at or time marker go, and so do markup,
 * links and invisible characters.
 */
export function cleanAnswer(answer: string): string {
  const looked = answer.slice(0, MAX_LOOKED_AT_CHARS)
  const text = removeMarkup(looked.normalize('NFC').replace(/\r\n?/g, '\n'))
    .split('\n')
    .filter((line) => !isTimeMarker(line))
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (text.length <= MAX_ANSWER_CHARS) return text
  const cut = text.slice(0, MAX_ANSWER_CHARS - 1)
  const space = cut.search(/\s\S*$/)
  return `${space === -1 ? cut : cut.slice(0, space).trimEnd()}…`
}

/**
 * Characters that are not seen: controls, zero width, direction marks, tags (U+E0000), private use. Indic scripts and
 * Persian need the two joiners to be spelled right, and to be found in the transcript.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
// Each of these stops where another one of its kind may begin, so that no text is looked through twice.
const TAG = /<\/?[a-z!?][^<>]*>/gi
const OPEN_TAG = /<(?=[a-z/!?])/gi
const MARKDOWN_LINK = /!?\[([^[\]\n]*)\]\([^[)\n]*\)/g
const MARKDOWN_REFERENCE = /^[ \t]*\[[^[\]\n]+\]:[ \t]*\S.*$/gm
const ADDRESS = /[a-z][a-z\d+.-]{0,20}:\/\/\S*/gi
const SHORT_ADDRESS = /(?<![\p{L}\p{N}])(?:www\.|mailto:|javascript:|data:[a-z]{1,20}\/)\S*/giu

/** Markup inside of markup that honest text has at most. */
const MOST_PASSES = 8

/** Removes markup, links and invisible characters. Takes time by the length of the text, whatever is in it. */
export function removeMarkup(text: string): string {
  let before = ''
  let after = text.replace(INVISIBLE, (char) => (char === '\n' ? '\n' : char === '\t' ? ' ' : ''))
  // Removing one piece may join two others to a new one.
  for (let pass = 0; after !== before; pass += 1) {
    before = after
    after = removeOnce(pass < MOST_PASSES ? before : before.replace(/[<>[\]():]/g, ' '))
  }
  return after.replace(OPEN_TAG, '‹').replaceAll('](', '] (')
}

function removeOnce(text: string): string {
  return removeComments(text)
    .replace(TAG, '')
    .replace(MARKDOWN_REFERENCE, '')
    .replace(MARKDOWN_LINK, '$1')
    .replace(ADDRESS, '')
    .replace(SHORT_ADDRESS, '')
}

function removeComments(text: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4)
    if (end === -1) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 3
  }
}

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
  for (const word of findWords(text)) {
    const stem = stemTerm(word)
    // "one" is a pronoun more often than a number.
    if (/^\d/.test(stem) && (stem !== '1' || !isNumberWord(word))) numbers.add(stem.replaceAll(',', ''))
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
  const isSaid = (stem: string) => [stem, ...listSynonyms(stem)].some((each) => source.stems.has(each))
  return [...claim.stems].filter(isSaid).length
}

function isSupported(claim: Claim, source: Claim): boolean {
  if (claim.stems.size === 0) return false
  if ([...claim.numbers].some((number) => !source.numbers.has(number))) return false
  if (countShared(claim, source) / claim.stems.size < MIN_SUPPORT) return false
  return ![...claim.denied, ...claim.affirmed].some((stem) => readStance(claim, stem) * readStance(source, stem) < 0)
}

/** 1 for what is affirmed only, -1 for what is denied only. */
function readStance({ affirmed, denied }: Claim, stem: string): number {
  return Number(affirmed.has(stem)) - Number(denied.has(stem))
}
