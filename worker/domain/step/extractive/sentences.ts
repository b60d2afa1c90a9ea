import { trimEndOf } from '#worker/domain/trim-end.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { divideWords, findLexicon, glossWords, type Lexicon } from './lexicon.ts'
import { ACTIONS, EVERYDAY_ACTIONS, STOP_WORDS, STRONG_ACTIONS, wordSet } from './word-lists.ts'

const WORD = /[\p{L}\p{M}\p{N}]+(?:[.'’_+#-][\p{L}\p{M}\p{N}]+)*[+#]*/gu

/** The words of a text in lower case, apostrophes straightened, punctuation gone. */
export function splitWords(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll('’', "'"))
}

const STEM_RULES: readonly [RegExp, string][] = [
  [/'s$/, ''],
  [/ies$/, 'y'],
  [/sses$/, 'ss'],
  [/([^su])s$/, '$1'],
]
const SUFFIXES = readSuffixes(
  'ational:ate ization:ize isation:ize ation:ate ement: ment: ness: ingly: edly: ing: ed: er: or: ion: ly:',
)

/** Reads a list of suffixes, each with what takes its place. */
export function readSuffixes(list: string): [string, string][] {
  return list.split(/\s+/).map((rule) => rule.split(':') as [string, string])
}

/** A stem keeps at least this many letters, or unrelated short words would fall together. */
const MIN_STEM_CHARS = 3

/** A light suffix stripper: "creates", "creating" and "creation" fall together. Not for display. */
export function stemWord(word: string): string {
  if (word.length <= MIN_STEM_CHARS) return word
  let stem = word
  for (const [pattern, replacement] of STEM_RULES) stem = stem.replace(pattern, replacement)
  const hasRoot = (root: string) => root.length >= MIN_STEM_CHARS && /[aeiouy]/.test(root)
  const suffix = SUFFIXES.find(([ending]) => stem.endsWith(ending) && hasRoot(stem.slice(0, -ending.length)))
  if (suffix) stem = stem.slice(0, -suffix[0].length) + suffix[1]
  return stem.length > MIN_STEM_CHARS
    ? stem
        .replace(/([^aeiouylsz])\1$/, '$1')
        .replace(/e$/, '')
        .replace(/y$/, 'i')
    : stem
}

/** True for a word that can distinguish one topic from another. */
export function isContentWord(word: string): boolean {
  return word.length > 1 && !STOP_WORDS.has(word) && /\p{L}/u.test(word)
}

/** The stems of the content words of a text, in order, with repetition. */
export function stemContentWords(words: readonly string[]): string[] {
  return words.filter(isContentWord).map(stemWord)
}

/** One sentence of the narration, or one segment where the recogniser writes no punctuation. */
export interface Sentence {
  /** As it was said, with its punctuation and casing. */
  text: string
  /** In lower case; of another language than English, what stands for them in English. */
  words: string[]
  /** What is known of its language; null for English. */
  lexicon: Lexicon | null
  stems: string[]
  /** The segment at whose start a step that opens with this sentence begins. */
  segmentIndex: number
  startMs: number
  endMs: number
  /** Silence before the sentence, as the segments' times say it. */
  gapMs: number
  isQuestion: boolean
  /** Which of its words, between blanks and counted from 0, may not have been said; none by default. */
  unsure?: ReadonlySet<number>
}

/** A word as it stands in its segment. */
type Token = Pick<Sentence, 'text' | 'segmentIndex' | 'startMs' | 'endMs'> & {
  isUnsure: boolean
  endsSentence: boolean
}

/** How a text ends whose sentence does. */
export const SENTENCE_END = /[.?!…。！？।؟]["'”’)\]]*$/
const ABBREVIATION = /^(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|fig|approx|[a-z])\.$/i
/** Fewer sentence ends than one in so many words means no punctuation (speech has 10–25 words a sentence). */
const MAX_WORDS_PER_SENTENCE_END = 60

/**
 * Reads segments as sentences; a sentence may begin and end inside a segment.
 * @param language ISO 639-1; null where it is to be recognised by its words
 */
export function readSentences(segments: readonly SaidSegment[], language: string | null = 'en'): Sentence[] {
  const lexicon = findLexicon(language, language === null ? segments.map(({ text }) => text).join(' ') : '')
  const tokens = segments.flatMap((segment, index) => tokenize(segment, index, lexicon))
  const ends = tokens.filter((token) => token.endsSentence).length
  const isPunctuated = ends * MAX_WORDS_PER_SENTENCE_END >= tokens.length
  const groups = groupTokens(tokens, isPunctuated)
  const wordsByText = new Map<string, ReadWords>()
  return groups.map((group, index) =>
    makeSentence(group, { segments, before: groups[index - 1]?.at(-1), wordsByText, lexicon }),
  )
}

function tokenize(segment: SaidSegment, segmentIndex: number, lexicon: Lexicon | null): Token[] {
  const spaced = segment.text.split(/\s+/).filter((part) => part !== '')
  const isUnspaced = lexicon?.isUnspaced === true
  const parts = spaced.flatMap((part, index) =>
    (isUnspaced ? divideWords(part) : [part]).map((text) => ({ text, index })),
  )
  const chars = parts.reduce((sum, { text }) => sum + text.length + 1, -1)
  const perCharMs = (segment.endMs - segment.startMs) / Math.max(1, chars)
  let offset = 0
  return parts.map(({ text, index }) => {
    const startMs = segment.startMs + offset * perCharMs
    const endMs = Math.min(segment.endMs, startMs + text.length * perCharMs)
    offset += text.length + 1
    const isUnsure = segment.unsure?.includes(index) ?? false
    return { text, segmentIndex, startMs, endMs, isUnsure, endsSentence: endsWithStop(text) }
  })
}

/** From the first word to the last. */
export function spokenMsOf(sentences: readonly Sentence[]): number {
  return Math.max(0, (sentences.at(-1)?.endMs ?? 0) - (sentences[0]?.startMs ?? 0))
}

/** True where a sentence ends; a full stop after an abbreviation is none. */
export function endsWithStop(text: string): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text.slice(text.lastIndexOf(' ') + 1))
}

function groupTokens(tokens: readonly Token[], isPunctuated: boolean): Token[][] {
  const groups: Token[][] = []
  let isOpen = false
  tokens.forEach((token, index) => {
    if (isOpen) groups.at(-1)?.push(token)
    else groups.push([token])
    isOpen = isPunctuated ? !token.endsSentence : token.segmentIndex === tokens[index + 1]?.segmentIndex
  })
  return groups
}

/** The words and stems of a sentence, which depend on its text alone. */
type ReadWords = Pick<Sentence, 'words' | 'stems'>

interface Around {
  segments: readonly SaidSegment[]
  /** The last word before the sentence. */
  before: Token | undefined
  /** By text, so that a repeated sentence is split and stemmed only once. */
  wordsByText: Map<string, ReadWords>
  lexicon: Lexicon | null
}

function readWords(text: string, { wordsByText, lexicon }: Pick<Around, 'wordsByText' | 'lexicon'>): ReadWords {
  const found = wordsByText.get(text)
  if (found !== undefined) return found
  const said = splitWords(text)
  const words = lexicon === null ? said : glossWords(said, lexicon)
  const stems = said.filter((_, index) => isContentWord(words[index] ?? '')).map(stemWord)
  const read = { words, stems }
  wordsByText.set(text, read)
  return read
}

function makeSentence(tokens: Token[], { segments, before, wordsByText, lexicon }: Around): Sentence {
  const first = tokens[0] as Token
  const text = tokens.map((token) => token.text).join(' ')
  const isUnsure = tokens.some((token) => token.isUnsure)
  return {
    text,
    ...readWords(text, { wordsByText: isUnsure ? new Map() : wordsByText, lexicon }),
    lexicon,
    segmentIndex: nearestSegment(first, segments),
    startMs: first.startMs,
    endMs: (tokens.at(-1) as Token).endMs,
    gapMs: before === undefined ? 0 : Math.max(0, first.startMs - before.endMs),
    isQuestion: /[?？؟]["'”’)\]]*$/.test(text),
    ...(isUnsure ? { unsure: new Set(tokens.flatMap((token, index) => (token.isUnsure ? [index] : []))) } : {}),
  }
}

function nearestSegment(first: Token, segments: readonly SaidSegment[]): number {
  const own = segments[first.segmentIndex] as SaidSegment
  const next = segments[first.segmentIndex + 1]
  const isNearerToNext = next !== undefined && next.startMs - first.startMs < first.startMs - own.startMs
  return isNearerToNext ? first.segmentIndex + 1 : first.segmentIndex
}

/** How rare each stem is in this recording: about 0 for words that are everywhere, higher for those of one passage. */
export type Rarity = (stem: string) => number

/** Words a block counts for rarity; a quarter of a minute of speech, as in TextTiling (Hearst 1997: about 60 words). */
const RARITY_BLOCK_WORDS = 60

/** Learns from the recording itself which stems are rare, by the share of blocks of speech that contain them. */
export function learnRarity(sentences: readonly Sentence[]): Rarity {
  const blocks: Set<string>[] = []
  let words = RARITY_BLOCK_WORDS
  for (const sentence of sentences) {
    if (words >= RARITY_BLOCK_WORDS) {
      blocks.push(new Set())
      words = 0
    }
    words += sentence.words.length
    for (const stem of sentence.stems) blocks.at(-1)?.add(stem)
  }
  const counts = new Map<string, number>()
  for (const block of blocks) for (const stem of block) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return (stem) => Math.log((blocks.length + 1) / ((counts.get(stem) ?? 0) + 0.5))
}

/** Computes a value of a sentence once and caches it by its words, which sentences of the same text share. */
export function rememberOf<Read>(
  cache: WeakMap<Sentence['words'], Read>,
  sentence: Sentence,
  read: (sentence: Sentence) => Read,
): Read {
  const found = cache.get(sentence.words)
  if (found !== undefined) return found
  const fresh = read(sentence)
  cache.set(sentence.words, fresh)
  return fresh
}

/** A word of a sentence as a title could show it. */
export interface TitleToken {
  /** As said, without punctuation around it. */
  shown: string
  /** In lower case; of another language than English, what stands for it in English. */
  word: string
  stem: string
  /** What is known of its language; null for English. */
  lexicon: Lexicon | null
  /** Punctuation follows: a phrase ends here. */
  isBreak: boolean
  /** It may not have been said, so no title shows it. */
  isUnsure: boolean
}

/** Splits a sentence into the words that titles are made of. */
export function readTitleTokens(sentence: Sentence): readonly TitleToken[] {
  return rememberOf(titleTokens, sentence, splitTitleTokens)
}

const titleTokens = new WeakMap<Sentence['words'], readonly TitleToken[]>()

function splitTitleTokens({ text, unsure, lexicon }: Sentence): TitleToken[] {
  const tokens = text.split(/\s+/).flatMap((raw, index) => {
    const shown = trimEndOf(raw.replace(/^[^\p{L}\p{N}$#@./]+/u, ''), /[^\p{L}\p{M}\p{N}+#%$]/u).replaceAll('’', "'")
    if (!/[\p{L}\p{N}]/u.test(shown)) return []
    const isBreak = /[,.;:?!)\]…—–"”，。；：？！、،؛؟।]$/.test(raw)
    return [{ shown, isBreak, isUnsure: unsure?.has(index) ?? false }]
  })
  const said = tokens.map(({ shown }) => shown.toLowerCase())
  const words = lexicon === null ? said : glossWords(said, lexicon)
  return tokens.map((token, at) => ({ ...token, word: words[at] ?? '', stem: stemWord(said[at] ?? ''), lexicon }))
}

/** Fewer announcements are no list of steps. */
const MIN_ANNOUNCED = 3
/** While more narration is to come, a list may have only begun. */
const MIN_ANNOUNCED_SO_FAR = 2
/** Announcements a minute of a narrated list of steps. How-tos with .75 to 1.25 are better cut by all signs together. */
const MIN_PER_MINUTE = 1.25
/** Minutes without announcements that are mixed in, so that a clip is not judged by two sentences. */
const PRIOR_MINUTES = 1

const FILLERS = '(?:(?:so|ok|okay|alright|all right|well|right|great|good|and|but) )*'
const ORDINAL = '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|last|final)'
/** Says by itself that a step begins, whatever it acts on. */
const SURE_MARKERS = [
  'first of all',
  'first off',
  'to (?:begin|start)(?: with)?',
  '(?:and )?(?:after|following) (?:that|this)',
  'after(?:wards|ward)',
  'last of all',
  `(?:as )?(?:the|a|your|our) ${ORDINAL} (?:step|thing)(?: (?:that )?(?:you|we) (?:do|need to do|have to do))?(?: is)?(?: to)?`,
  'step (?:number )?(?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten)(?: is)?(?: to)?',
  "(?:now |once |when )(?:that )?(?:that|this|it|you)(?:'s|'re| is| are| have| has)(?: been)? (?:done|ready|finished|complete)",
  `${ORDINAL}(?:ly)?`,
  'finally',
].join('|')
/** These continue a step as often as they begin one: "then turn it to the left". */
const LIGHT_MARKERS = 'then|now'
const ADVERBS = "(?:please |just |simply |also |again |first |(?:it is|it's) time to |go ahead and |(?:\\w{2,}ly) )*"
const SUBJECT =
  "(?:(?:you|we|i|let's|let us|let me)(?:'ll|'re|'m|'d)?(?: (?:are|am|will|can|could|should|must|may|going to|gonna|need to|have to|want to|would like to|like to|just|also))* )?"
const ANNOUNCEMENT = new RegExp(
  `^${FILLERS}(?:${LIGHT_MARKERS} )?(?:(?:${SURE_MARKERS})|(${LIGHT_MARKERS})) ${ADVERBS}${SUBJECT}${ADVERBS}`,
)
const LIST_OPENING = new RegExp(
  `^${FILLERS}(?:${LIGHT_MARKERS} )?(?:first|to (?:begin|start)|(?:the|your|our) first|step (?:number )?(?:1|one))\\b`,
)
/** Words that the patterns above can match at most. */
const LEAD_WORDS = 24

const PRONOUNS = wordSet('it them this that these those him her')
/** What an instruction acts on begins like this, so the word before is a verb even if no list knows it. */
const OBJECT_STARTS =
  wordSet(`the a an your my our this these all both each some any another one two three four five six
seven eight nine ten half off on out up down in away`)
const LINKS = wordSet('and so then now also just please')
const NO_IMPERATIVE = /\w{3}(?:ing|ed|ly)$|'/

/**
 * The sentences with which the speaker of a narrated list announces the steps: "First, switch off the printer".
 * @param extent `sentences` are all that is said, or all so far
 * @returns their indices in order; empty for a talk, in which "now" and "then" mean little
 */
export function findAnnouncedSteps(sentences: readonly Sentence[], extent: 'all' | 'so far'): number[] {
  const minutes = spokenMsOf(sentences) / 60_000
  const found = [...sentences.keys()].filter((index) => findAnnouncedVerb(sentences[index] as Sentence) !== null)
  const opening = sentences[found[0] ?? -1]?.words.slice(0, LEAD_WORDS).join(' ') ?? ''
  // "First, …" promises that more steps follow.
  if (extent === 'so far' && LIST_OPENING.test(opening)) return found.length >= MIN_PER_MINUTE * minutes ? found : []
  const least = extent === 'all' ? MIN_ANNOUNCED : MIN_ANNOUNCED_SO_FAR
  return found.length >= least && found.length >= MIN_PER_MINUTE * (minutes + PRIOR_MINUTES) ? found : []
}

/**
 * Where the verb of an announced step stands: "open" in "Next, you open the cover".
 * @returns an index into the sentence's title tokens; null when it announces no step
 */
export function findAnnouncedVerb(sentence: Sentence): number | null {
  return rememberOf(announcedVerbs, sentence, readAnnouncedVerb)
}

const announcedVerbs = new WeakMap<Sentence['words'], number | null>()

function readAnnouncedVerb(sentence: Sentence): number | null {
  if (sentence.isQuestion) return null
  const tokens = readTitleTokens(sentence)
  const leadWords = tokens.slice(0, LEAD_WORDS).map((token) => `${token.word} `)
  const lead = ANNOUNCEMENT.exec(leadWords.join(''))
  if (lead === null) return null
  const verbIndex = lead[0].trim().split(' ').length
  const [verb = '', next] = tokens.slice(verbIndex).map((token) => token.word)
  const isLight = lead[1] !== undefined
  if (sentence.lexicon?.isVerbLast === true) return endsInVerb(tokens, verbIndex) ? verbIndex : null
  if (next === undefined || (isLight && PRONOUNS.has(next))) return null
  const isUnlisted = isContentWord(verb) && !NO_IMPERATIVE.test(verb) && OBJECT_STARTS.has(next)
  return ACTIONS.has(verb) || EVERYDAY_ACTIONS.has(verb) || isUnlisted ? verbIndex : null
}

/** True where a clause ends with its verb: "Kapağı açın". */
export function endsInVerb(tokens: readonly TitleToken[], from: number): boolean {
  const end = tokens.findIndex(({ isBreak }, at) => at >= from && isBreak)
  const last = end === -1 ? tokens.length - 1 : end
  return last > from && ACTIONS.has(tokens[last]?.word ?? '')
}

/** True where the sentence acts on the thing before it, so that no step begins here: "Pull it straight up". */
export function actsOnPrevious(sentence: Sentence): boolean {
  const [verb = '', object = ''] = sentence.words.slice(sentence.words.findIndex((word) => !LINKS.has(word)))
  return (object === 'it' || object === 'them') && (ACTIONS.has(verb) || EVERYDAY_ACTIONS.has(verb))
}

/** What a sentence may begin with before it says anything. */
export const LEAD_IN = /^(?:(?:so|now|and|but|first|next|then|okay|ok|well|alright|all right) )*/

/** True where the sentence instructs the viewer, at the start or after a comma: "If it is closed, click Open". */
export function isInstruction(sentence: Sentence): boolean {
  return rememberOf(instructions, sentence, readInstruction)
}

const instructions = new WeakMap<Sentence['words'], boolean>()

function readInstruction(sentence: Sentence): boolean {
  const { lexicon } = sentence
  if (lexicon?.isVerbLast === true) {
    const tokens = readTitleTokens(sentence)
    return tokens.some((_, at) => (at === 0 || tokens[at - 1]?.isBreak === true) && endsInVerb(tokens, at))
  }
  return sentence.text.split(/[,;:，；：、،؛]\s/).some((clause) => {
    const said = splitWords(clause)
    const words = lexicon === null ? said : glossWords(said, lexicon)
    const [verb = ''] = words.join(' ').replace(LEAD_IN, '').split(' ')
    return STRONG_ACTIONS.has(verb)
  })
}
