import { isQuoted } from './check-answer.ts'
import { isOpposite } from './contradiction/exclusive-words.ts'
import { findContradiction } from './contradiction/find-contradiction.ts'
import { hasUnsaidName } from './contradiction/unsaid-names.ts'
import type { ShownSegment } from './open-index.ts'
import { MAX_SEGMENT_CHARS } from './prompts/answer-question.v4.ts'
import { MAX_SOURCE_CHARS, SCREEN_MARK } from './prompts/judge-sentences.v1.ts'
import { readClauses, type Said } from './words/read-clauses.ts'
import { listSynonyms } from './words/synonyms.ts'

/** A sentence of an answer with the segments that it cites. */
interface Claim {
  text: string
  segmentIds: readonly string[]
  /** Words of the segments as they stand there; empty where the model gave none. */
  quote: string
}

/**
 * What the rules find: a claim that is `supported` may be shown, one that is `unsupported` may not, and where they
 * do not decide it is `unsure`.
 */
export interface CheckedClaim {
  verdict: 'supported' | 'unsure' | 'unsupported'
  /** The cited segments that share a term with the claim, in time order. */
  segmentIds: readonly string[]
  /**
   * The text that a judge reads: the cited segments, with one more on either side unless that is too long, and lines of
   * the screen with what stands beside them.
   */
  source: string
}

/** A claim without a quote that shares a smaller part of its terms with its segments is unsupported. */
const MIN_SHARED = 0.3
/** A number up to this may count the items of a list; a larger one has to occur in the source. */
const MOST_COUNTED = 12

/**
 * Checks whether a claim follows from the segments that it cites. Only what repeats a part of them is supported: the
 * same terms in the same order within the same clauses, with the same denials, numbers and qualifiers. A number that
 * was not said, a quote that does not stand there, and a denial too many or too few are not.
 */
export function checkClaim({ text, segmentIds, quote }: Claim, segments: readonly ShownSegment[]): CheckedClaim {
  const cited = [...segments.keys()].filter((index) => {
    const segment = segments[index] as ShownSegment
    return segmentIds.includes(segment.id) && (segment.onScreen === undefined || isShown({ text, quote }, segment.text))
  })
  const isNear = (index: number, each: number) =>
    index === each || (Math.abs(each - index) === 1 && isSaidTogether(segments[index], segments[each]))
  const near = [...segments.keys()].filter((index) => cited.some((each) => isNear(index, each)))
  const around = joinSaid(segments, near)
  const claim = readClauses(text)
  const terms = claim.filter(({ kind }) => kind === 'term' || kind === 'number')
  const own = joinSaid(segments, cited)
  const sharing = cited.filter((index) => sharesTerm(terms, readClauses(joinSaid(segments, [index]))))
  const supporting = sharing.length === 0 && quote !== '' ? cited : sharing
  const judged = joinJudged(segments, near, listBeside(segments, cited))
  const source = judged.length > MAX_SOURCE_CHARS ? joinJudged(segments, cited, cited) : judged
  const checked = { segmentIds: supporting.map((index) => (segments[index] as ShownSegment).id), source }
  if (terms.length === 0 || supporting.length === 0) return { ...checked, verdict: 'unsupported' }
  if (quote !== '' && !isQuoted(quote, around)) return { ...checked, verdict: 'unsupported' }
  return {
    ...checked,
    verdict: judge(claim, readClauses(own), { hasQuote: quote !== '', around: readClauses(around), shown: segments }),
  }
}

/** A longer pause ends a sentence. */
const MAX_PAUSE_MS = 2_000

/** Whether two segments are said in the same training. */
function isSaidTogether(one: ShownSegment | undefined, other: ShownSegment | undefined): boolean {
  return isSaid(one) && isSaid(other) && one?.part === other?.part
}

/** Nothing is said before or after a note or a line of the screen. */
function isSaid(segment: ShownSegment | undefined): boolean {
  return segment?.note === undefined && segment?.onScreen === undefined
}

/**
 * Whether a claim has its quote between quotation marks, as the screen shows it to the character: a command with a mark
 * less is another one, and what a screen says is never said by the tutor itself.
 */
function isShown({ text, quote }: Pick<Claim, 'text' | 'quote'>, line: string): boolean {
  const shown = quote.replace(/\s+/g, ' ').trim()
  const quoted = QUOTATION_MARKS.some(([open, close]) => text.includes(`${open}${shown}${close}`))
  return shown !== '' && quoted && line.replace(/\s+/g, ' ').includes(shown)
}

/** Of the ten languages, and of code. */
const QUOTATION_MARKS = ['“ ”', '" "', '„ “', '„ ”', '« »', '‘ ’', "' '", '` `', '「 」'].map((marks) =>
  marks.split(' '),
)

/** Segments that follow each other are read as one text; an ellipsis stands between others. */
function joinSaid(segments: readonly ShownSegment[], indexes: readonly number[]): string {
  let joined = ''
  let last: number | null = null
  for (const each of indexes) {
    const segment = segments[each] as ShownSegment
    const before = last === null ? undefined : segments[last]
    const isNext = last === each - 1 && isSaid(segment) && segment.startMs - (before?.endMs ?? 0) <= MAX_PAUSE_MS
    if (joined !== '') joined += isNext ? ' ' : ' … '
    joined += segment.text.slice(0, MAX_SEGMENT_CHARS)
    last = each
  }
  return joined
}

/** So many lines before and after one, in reading order, say what it is: its label, the command that it answers. */
const LINES_BEFORE = 2
const LINES_AFTER = 1
const BESIDE_MS = 5_000

/** The lines of the screen among some segments, with those that are shown beside them. */
function listBeside(segments: readonly ShownSegment[], cited: readonly number[]): number[] {
  const isBeside = (index: number, each: number) => {
    const [line, other] = [segments[each], segments[index]]
    if (line?.onScreen === undefined || other?.onScreen === undefined || line.part !== other.part) return false
    const isNext = index >= each - LINES_BEFORE && index <= each + LINES_AFTER
    return isNext && Math.abs(other.startMs - line.startMs) <= BESIDE_MS
  }
  return [...segments.keys()].filter((index) => cited.some((each) => isBeside(index, each)))
}

/** What is said, and behind a mark what is shown, as a judge reads it. */
function joinJudged(segments: readonly ShownSegment[], said: readonly number[], shown: readonly number[]): string {
  const isShownAt = (index: number) => segments[index]?.onScreen !== undefined
  const spoken = joinSaid(
    segments,
    said.filter((index) => !isShownAt(index)),
  )
  const lines = shown.filter(isShownAt).map((index) => segments[index]?.text)
  return [spoken, lines.length > 0 && `${SCREEN_MARK} ${lines.join(' / ')}`].filter(Boolean).join(' ')
}

function sharesTerm(terms: readonly Said[], source: readonly Said[]): boolean {
  return terms.some((term) => source.some((word) => isSame(term, word)))
}

function isSame(one: Said, other: Said): boolean {
  return one.stem === other.stem || listSynonyms(one.stem).has(other.stem)
}

interface Basis {
  hasQuote: boolean
  around: readonly Said[]
  /** All that the model was shown. */
  shown: readonly ShownSegment[]
}

/** "122.500" is what English writes as "122,500". */
function readThousands(stem: string): string {
  return /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(stem) ? stem.replaceAll('.', '') : stem
}

function judge(
  claim: readonly Said[],
  source: readonly Said[],
  { hasQuote, around, shown }: Basis,
): CheckedClaim['verdict'] {
  const isUnsaid = ({ kind, stem }: Said) =>
    kind === 'number' &&
    !around.some((word) => word.stem === stem || word.stem === readThousands(stem)) &&
    !(Number.isInteger(Number(stem)) && Number(stem) <= MOST_COUNTED)
  if (claim.some(isUnsaid) || hasUnsaidName(claim, shown)) return 'unsupported'
  const terms = claim.filter(({ kind }) => kind === 'term' || kind === 'number')
  const shared = terms.filter((term) => sharesTerm([term], around)).length / terms.length
  if (!hasQuote && shared < MIN_SHARED) return 'unsupported'
  const found = listAlignments(claim, source)
  const aligned = claim.filter(isTerm)
  const isSameStance = (places: readonly number[]) =>
    aligned.every((word, index) => word.isDenied === source[places[index] ?? -1]?.isDenied)
  if (found.some((places) => isSameStance(places) && isSameQualified(claim, source, places))) return 'supported'
  if (found.length > 0 && !found.some(isSameStance)) return 'unsupported'
  return findContradiction(claim, around) === null ? 'unsure' : 'unsupported'
}

/** Terms of the source that may be left out between two of the claim. */
const MOST_LEFT_OUT = 2
/** Synonyms that may stand for words of the source: few, because the list was made for questions and is loose. */
const MOST_SYNONYMS = 1
const MIN_TERMS_OF_SYNONYM = 5

/**
 * Finds the words of a claim in a source, in their order, and close together.
 * @returns each way to find them: for each term of the claim its index in the source
 */
function listAlignments(claim: readonly Said[], source: readonly Said[]): number[][] {
  const words = claim.filter(isTerm)
  const synonyms = words.length >= MIN_TERMS_OF_SYNONYM ? MOST_SYNONYMS : 0
  return [...source.keys()].flatMap((start) => {
    const places = alignFrom(words, source, { start, synonyms })
    return places === null ? [] : [places]
  })
}

function alignFrom(
  words: readonly Said[],
  source: readonly Said[],
  { start, synonyms }: { start: number; synonyms: number },
): number[] | null {
  const places: number[] = []
  let remainingSynonyms = synonyms
  for (const [index, word] of words.entries()) {
    const near = index === 0 ? [start] : listNear(word, words[index - 1], { source, last: places.at(-1) ?? start })
    const exact = near.find((place) => isTerm(source[place]) && source[place].stem === word.stem)
    const synonym =
      word.kind === 'term' && remainingSynonyms > 0 ? near.find((place) => isSynonym(word, source[place])) : undefined
    const place = exact ?? synonym
    if (place === undefined) return null
    if (exact === undefined) remainingSynonyms -= 1
    places.push(place)
  }
  return places
}

function isTerm(word: Said | undefined): word is Said {
  return word !== undefined && word.kind !== 'other'
}

function isSynonym(word: Said, sourceWord: Said | undefined): boolean {
  return sourceWord?.kind === 'term' && isSame(word, sourceWord) && !isOpposite(word.stem, sourceWord.stem)
}

/** Places behind the last one until they are too far from it. */
function listNear(
  word: Said,
  before: Said | undefined,
  { source, last }: { source: readonly Said[]; last: number },
): number[] {
  const near: number[] = []
  for (let place = last + 1; place < source.length; place += 1) {
    if (!isTerm(source[place])) continue
    if (isTooFar(word, before, { source, last, place })) break
    near.push(place)
  }
  return near
}

/** True in another clause, or after more than {@link MOST_LEFT_OUT} terms; a number stands next to what it counts. */
function isTooFar(
  word: Said,
  before: Said | undefined,
  { source, last, place }: { source: readonly Said[]; last: number; place: number },
): boolean {
  if (before === undefined) return false
  const skipped = source.slice(last + 1, place).filter(({ kind }) => kind === 'term' || kind === 'number')
  if (skipped.length > MOST_LEFT_OUT) return true
  if (skipped.some(({ kind }) => kind === 'number')) return true
  if ((word.kind === 'number' || before.kind === 'number') && skipped.length > 0) return true
  return word.clause === before.clause && source[last]?.clause !== source[place]?.clause
}

/** True where the clauses that a claim was found in have the same words that limit what they say. */
function isSameQualified(claim: readonly Said[], source: readonly Said[], places: readonly number[]): boolean {
  const clauses = new Set(places.map((place) => source[place]?.clause))
  const sentences = new Set(places.map((place) => source[place]?.sentence))
  const isNear = ({ limits, clause, sentence }: Said) =>
    limits === 'condition' ? sentences.has(sentence) : limits === 'clause' && clauses.has(clause)
  const sourceLimits = source.filter(isNear).map(({ stem }) => stem)
  const claimed = claim.filter(({ limits }) => limits !== null).map(({ stem }) => stem)
  return sourceLimits.length === claimed.length && sourceLimits.every((stem, index) => stem === claimed[index])
}
