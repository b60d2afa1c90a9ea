import { trimEndOf } from '#worker/domain/trim-end.ts'
import { joinUnspaced, type Lexicon } from './lexicon.ts'
import {
  endsInVerb,
  endsWithStop,
  findAnnouncedVerb,
  isContentWord,
  isInstruction,
  readTitleTokens,
  type Sentence,
  type TitleToken,
} from './sentences.ts'
import { ACTIONS, STRONG_ACTIONS, UNMISTAKABLE_ACTIONS, WEAK_ACTIONS, wordSet } from './word-lists.ts'

/** A possible title, before it is polished. */
export interface TitleIdea {
  text: string
  /** Stems of its content words, a leading verb included; they carry its meaning. */
  stems: string[]
  /** How surely it is an instruction: 0 for a bare topic, 1 for an imperative. */
  strength: number
}

const ADVERBS =
  '(?: (?:now|also|just|first|then|actually|visually|quickly|easily|simply|go ahead and|try to|try and|want to|need to|have to))*$'
const endsWith = (lead: string) => new RegExp(`\\b(?:${lead})${ADVERBS}`)
/** The words that lead to an instruction, by how surely one follows. */
const LEADS: readonly { pattern: RegExp; strength: number }[] = [
  { pattern: endsWith("let's|let us|let me"), strength: 1 },
  { pattern: endsWith('going to|gonna'), strength: 0.9 },
  {
    pattern: endsWith('(?:how|want|need|have|like|able|used|way|ready|try|trying|learn|got|ought|here|is) to'),
    strength: 0.85,
  },
  { pattern: endsWith('(?:allows? (?:you|us|me)|helps?(?: (?:you|us|me))?) to'), strength: 0.85 },
  {
    pattern: endsWith("(?:i|you|we|they)(?:'ll| will| can| could| should| must| may| might|'d better)"),
    strength: 0.8,
  },
  { pattern: /(?:^|\b(?:in order|so as|possible|easy|easier|important)) ?to$/, strength: 0.8 },
  { pattern: /\bto$/, strength: 0.5 },
]
/** What an instruction is for names the step better than the click itself: "To create a project, select …". */
const GOAL_STRENGTH = 1.3
const LEAD_WORDS = 7
/** An instruction at the start of a clause: "Select accessories", "then click on Terminal". */
const IMPERATIVE_STRENGTH = 1
/** What a speaker announces for the whole recording is only a good name for its first step. */
const ANNOUNCED_STRENGTH = 2.5
const ANNOUNCES = /\bin this (?:\w+ )?(?:tutorial|video|lesson|session|module|chapter|course|guide|demo)\b|\btoday\b/i

const CLAUSE_OPENERS = wordSet('and then now next so first finally just please or also okay ok again simply go ahead')
const MAX_OBJECT_WORDS = 8
const OBJECT_ENDS =
  wordSet(`and but so because that which who whose when while if then i you he she they we it's that's i'm we're you're is are was were
will would can could should do does did has have had or where though although since unless until before after what how why
there here okay ok right um uh now let's let we'll i'll as instead`)
/** An object that begins like this names nothing: "see what", "use it". */
const EMPTY_OBJECTS =
  wordSet(`what why where when if whether which who whatever it this that them me us you him her these
those something things stuff care each`)
/** Says where, not what: "type at the prompt". */
const VAGUE_STARTS = wordSet('at from of by space')
/** With these, words of another language would go on. */
const OPEN_ENDS = wordSet(
  'the of in to with for and or but because that if when until you we i is must can not very then now',
)
const EXAMPLE = /^(?:for|as an) (?:example|instance)\b/i
const EXAMPLE_SHARE = 0.5
const PREPOSITIONS = wordSet('of in on at for from with by into onto to about over under between through without')
const ARTICLES = wordSet('the a an')
const DETERMINERS = wordSet('your my our this these all', ARTICLES)
const NOT_BEFORE_VERBS = wordSet('this that these those your our my to of', ARTICLES)

/** Titles that the speaker says as an instruction or an intention: "Create a new project", "Click Add to cart". */
export function findActionTitles(sentence: Sentence): TitleIdea[] {
  const tokens = readTitleTokens(sentence)
  const context = { isPunctuated: endsWithStop(sentence.text), isInstruction: isInstruction(sentence) }
  const isExample = EXAMPLE.test(sentence.text)
  if (sentence.lexicon?.isVerbLast === true) return findVerbLastTitles(tokens)
  return tokens.flatMap((_, index) => {
    const strength = measureStrength(tokens, index, context)
    if (strength === 0) return []
    if (isExample) return readClause(tokens, index, strength * EXAMPLE_SHARE)
    return readClause(tokens, index, ANNOUNCES.test(sentence.text) ? ANNOUNCED_STRENGTH : strength)
  })
}

/** Clauses that end with their verb: "Kapağı açın" of "Önce kapağı açın". */
function findVerbLastTitles(tokens: readonly TitleToken[]): TitleIdea[] {
  return tokens.flatMap((_, index) => {
    if (!startsClause(tokens, index) || CLAUSE_OPENERS.has(tokens[index]?.word ?? '') || !endsInVerb(tokens, index))
      return []
    const { content, text } = takeClause(tokens, index)
    const isUnsure = content.some((token) => token.isUnsure)
    return isUnsure ? [] : [{ text, stems: content.map(({ stem }) => stem), strength: IMPERATIVE_STRENGTH }]
  })
}

/** The title that an announced step has from its speaker: "Open the cover" for "Next, open the cover". */
export function findAnnouncedTitle(sentence: Sentence): string | null {
  const verbIndex = findAnnouncedVerb(sentence)
  if (verbIndex === null) return null
  const { verb, content, text } = takeClause(readTitleTokens(sentence), verbIndex)
  return content.length > 0 && !verb.isUnsure ? text : null
}

function takeClause(tokens: readonly TitleToken[], verbIndex: number) {
  const verb = tokens[verbIndex] as TitleToken
  if (verb.lexicon !== null) return takeForeignClause(tokens, verbIndex, verb.lexicon)
  const object = verb.isBreak ? [] : takeObject(tokens, verbIndex + 1)
  const content = object.filter((token) => isContentWord(token.word))
  return { verb, object, content, text: [verb.word, ...object.map(addressReader)].join(' ') }
}

/** In the speaker's own words, since no word of another language stands for "my". */
function takeForeignClause(tokens: readonly TitleToken[], from: number, { isVerbLast }: Lexicon) {
  const verb = tokens[from] as TitleToken
  const said = isVerbLast ? takeToVerb(tokens, from) : [verb, ...(verb.isBreak ? [] : takeObject(tokens, from + 1))]
  // A whole clause ends as it was said: "Geben Sie das Passwort ein".
  const isWhole = said.at(-1)?.isBreak === true || said.at(-1) === tokens.at(-1)
  const shown = isWhole ? said : said.slice(0, said.findLastIndex(({ word }) => !OPEN_ENDS.has(word)) + 1)
  const object = shown.slice(1)
  const content = (isVerbLast ? shown : object).filter(({ word }) => isContentWord(word))
  return { verb, object, content, text: shown.map((token) => token.shown).join(' ') }
}

/** The last words of a clause, as many as a title holds, with its verb at the end. */
function takeToVerb(tokens: readonly TitleToken[], from: number): TitleToken[] {
  const end = tokens.findIndex(({ isBreak }, at) => at >= from && isBreak)
  return tokens.slice(from, end === -1 ? tokens.length : end + 1).slice(-MAX_OBJECT_WORDS)
}

function measureStrength(
  tokens: readonly TitleToken[],
  index: number,
  context: { isPunctuated: boolean; isInstruction: boolean },
): number {
  const { word = '', isUnsure = true } = tokens[index] ?? {}
  if (isUnsure) return 0
  // A verb that is in no list is recognised by its object: "to archive the papers".
  if (!(ACTIONS.has(word) || (isContentWord(word) && DETERMINERS.has(tokens[index + 1]?.word ?? '')))) return 0
  if (STRONG_ACTIONS.has(word) && startsClause(tokens, index)) return IMPERATIVE_STRENGTH
  // Speech recognition without punctuation hides where clauses start; a few verbs give it away.
  const isUnmistakable = UNMISTAKABLE_ACTIONS.has(word) && !NOT_BEFORE_VERBS.has(tokens[index - 1]?.word ?? '')
  if (!context.isPunctuated && isUnmistakable) return IMPERATIVE_STRENGTH
  const lead = tokens.slice(Math.max(0, index - LEAD_WORDS), index)
  const leadText = lead.map((token) => token.word).join(' ')
  if (context.isInstruction && /\bto$/.test(leadText)) return GOAL_STRENGTH
  return LEADS.find(({ pattern }) => pattern.test(leadText))?.strength ?? 0
}

function startsClause(tokens: readonly TitleToken[], index: number): boolean {
  let before = index - 1
  while (before >= 0 && CLAUSE_OPENERS.has(tokens[before]?.word ?? '') && !tokens[before]?.isBreak) before -= 1
  return before < 0 || tokens[before]?.isBreak === true
}

function readClause(tokens: readonly TitleToken[], verbIndex: number, strength: number): TitleIdea[] {
  const { verb, object, content, text } = takeClause(tokens, verbIndex)
  const [first] = object
  if (first === undefined || content.length === 0) return []
  if (EMPTY_OBJECTS.has(first.word) || OBJECT_ENDS.has(first.word)) return []
  const stems = [verb, ...content].map((token) => token.stem)
  const isVague = WEAK_ACTIONS.has(verb.word) || VAGUE_STARTS.has(first.word)
  return [{ text, stems, strength: isVague ? strength / 2 : strength }]
}

function takeObject(tokens: readonly TitleToken[], from: number): TitleToken[] {
  const object: TitleToken[] = []
  for (const token of tokens.slice(from, from + MAX_OBJECT_WORDS + 1)) {
    // Before a word that may be misrecognised, the object is cut after its last name.
    if (token.isUnsure) return object.slice(0, object.findLastIndex(({ word }) => isContentWord(word)) + 1)
    const isVerb = STRONG_ACTIONS.has(token.word) && !NOT_BEFORE_VERBS.has(object.at(-1)?.word ?? '')
    if (endsInPurpose(object) && OBJECT_ENDS.has(token.word)) return object.slice(0, -2)
    if (object.length > 0 && (OBJECT_ENDS.has(token.word) || (object.length > 1 && isVerb))) break
    if (startsAnotherName(token, object)) break
    if (object.length === MAX_OBJECT_WORDS) return dropLastPhrase(object)
    object.push(token)
    if (token.isBreak) break
  }
  return object
}

/** A purpose whose own object is missing: "the page Orders to check" of "… to check what they see". */
function endsInPurpose(object: readonly TitleToken[]): boolean {
  return object.length > 2 && object.at(-2)?.word === 'to' && ACTIONS.has(object.at(-1)?.word ?? '')
}

/** Without punctuation the next sentence shows in its article: "the new roll | the end of the paper". */
function startsAnotherName(token: TitleToken, object: readonly TitleToken[]): boolean {
  // "Geben Sie das Passwort ein": no article ends a clause.
  if (token.isBreak) return false
  const before = object.at(-1)?.word ?? ''
  return ARTICLES.has(token.word) && isContentWord(before) && !PREPOSITIONS.has(before)
}

/** An object that was cut for length ends in the middle of a phrase; the tool of an action is the whole rest. */
function dropLastPhrase(object: readonly TitleToken[]): TitleToken[] {
  const tool = object.findIndex((token, index) => index > 1 && token.word === 'with')
  if (tool > 0) return object.slice(0, tool)
  const last = object.findLastIndex((token, index) => index > 0 && PREPOSITIONS.has(token.word))
  return last > 0 ? object.slice(0, last) : [...object]
}

/** "my terminal" is the reader's "the terminal". */
function addressReader({ word, shown }: TitleToken): string {
  return ['my', 'our', 'this'].includes(word) ? 'the' : shown
}

const MAX_TOPIC_WORDS = 4
/** With "of" and "the" between its words. */
const MAX_PHRASE_WORDS = 40
/** After these comes a verb, not a name: "I love dancing". */
const BEFORE_VERBS =
  wordSet(`i we you they he she it who to will would can could should must may might do does did don't doesn't didn't can't won't not
let's let i'll we'll you'll i'd we'd just also and then please`)
/** After these comes a name, whatever the word can be otherwise: "the search", "a fill". */
const BEFORE_NAMES =
  wordSet(`the a an this that these those my your our his her its their of in on at for with about from by into each every some any no
new called is are as or between using`)
const NUMERALS = wordSet('four five six seven eight nine eleven twelve fifteen twenty thirty forty fifty hundred')
const NOT_A_NAME = /(?:ly|n't|'s|'re|'ve|'ll|'d|ed)$/

type TopicToken = TitleToken & { isName: boolean }

/** What a passage is about: the noun phrases in it, with "the" where it was said. */
export function findTopicTitles(sentence: Sentence): TitleIdea[] {
  const tokens = markNames(readTitleTokens(sentence))
  return tokens.flatMap((token, from) => (token.isName ? phrasesFrom(tokens, from) : []))
}

function phrasesFrom(tokens: readonly TopicToken[], from: number): TitleIdea[] {
  const ideas: TitleIdea[] = []
  const words: string[] = []
  const stems: string[] = []
  const article = tokens[from - 1]?.word === 'the' ? 'the ' : ''
  for (const [offset, token] of tokens.slice(from, from + MAX_PHRASE_WORDS).entries()) {
    const isLink = token.word === 'of' || (token.word === 'the' && tokens[from + offset - 1]?.word === 'of')
    if (stems.length === MAX_TOPIC_WORDS || !(token.isName || isLink)) break
    words.push(token.shown)
    if (token.isName) {
      stems.push(token.stem)
      ideas.push({ text: article + words.join(' '), stems: [...stems], strength: 0 })
    }
    if (token.isBreak) break
  }
  return ideas
}

function markNames(tokens: readonly TitleToken[]): TopicToken[] {
  let before = ''
  return tokens.map((token, index) => {
    // A capital at the start of a sentence says nothing, and the words there are seldom names.
    const isOpening = index === 0 && /^\p{Lu}\p{Ll}/u.test(token.shown)
    const isName = !isOpening && !token.isUnsure && isContentWord(token.word) && isNameAfter(token.word, before)
    before = token.isBreak ? '' : token.word
    return { ...token, isName }
  })
}

function isNameAfter(word: string, before: string): boolean {
  if (NUMERALS.has(word)) return false
  if (BEFORE_NAMES.has(before)) return true
  const isVerb = ACTIONS.has(word) || (isContentWord(before) && ACTIONS.has(word.replace(/s$/, '')))
  return !(isVerb || NOT_A_NAME.test(word) || BEFORE_VERBS.has(before))
}

/** The spec allows 99; more than 70 characters no longer fit a line of the step list. */
const TITLE_MAX_CHARS = 70

const TRAILING_WORDS =
  /(?:[\s,;:–-]+(?:a|an|the|and|or|but|so|to|of|in|on|at|for|from|with|by|as|into|onto|that|which|this|these|those|is|are|be|it|we|i|you|our|your|my|its|their|if|when|then|than|up to|just|also|here|there|now|right|okay|ok|again|really|very|well|going|like|some|any|one|actually|basically|maybe|please))+$/i

/** Purposes that say nothing: "Use man command to know more". */
const EMPTY_PURPOSES = ['know', 'learn', 'see', 'read', 'find out'].flatMap((verb) => [
  ` to ${verb} more`,
  ` to ${verb} more about`,
])

function dropPurpose(title: string): string {
  const purpose = EMPTY_PURPOSES.find((words) => title.toLowerCase().endsWith(words))
  return purpose === undefined ? title : title.slice(0, -purpose.length)
}

const TRAILING_ADVERB = /(?<=\s\S+\s\S+)\s+\w+(?:ably|ally|arly|tely|ntly|ously|ingly|ively)$/i

/** "Switch the printer on again" keeps its "on", which a title may not end with otherwise. */
const PARTICLE =
  /^(?:switch|turn|plug|put|push|slide|snap|screw|clip|log|sign)\s.*\S\s(?:in|on)(?=(?:\s+(?:again|now|then|and|here|there))*$)/i

/** Makes words into a title: sentence case, no trailing fillers or punctuation, short enough to read at a glance. */
export function polishTitle(words: string, lexicon: Lexicon | null = null): string {
  const begun = joinUnspaced(words.replace(/\s+/g, ' ')).replace(/^[\s"'“”‘’([{*#.,;:!?–-]+/, '')
  const clean = trimEndOf(begun, /[\s"“”‘([{*#.,;:!?…–-]/)
  const short = shortenAtWord(clean, TITLE_MAX_CHARS)
  if (lexicon !== null) return short.charAt(0).toLocaleUpperCase(lexicon.language) + short.slice(1)
  const [particled] = PARTICLE.exec(short) ?? []
  const ended = particled ?? dropPurpose(short).replace(TRAILING_ADVERB, '').replace(TRAILING_WORDS, '')
  return capitalize(trimEndOf(ended, /[\s,;:–-]/))
}

/** The text up to the last whole word that fits. */
export function shortenAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars + 1)
  const space = cut.lastIndexOf(' ')
  // A cut between the two halves of an emoji would leave an invalid character.
  return (space > 0 ? cut.slice(0, space) : cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '')).trimEnd()
}

/** Upper-cases the first letter, except of names such as "iPhone" or "npm.config". */
export function capitalize(text: string): string {
  const first = text.match(/^\S+/)?.[0] ?? ''
  if (/^\p{Ll}+[\p{Lu}.]\S/u.test(first)) return text
  return text.charAt(0).toUpperCase() + text.slice(1)
}
