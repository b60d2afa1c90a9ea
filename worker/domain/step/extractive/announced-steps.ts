import { ACTIONS, EVERYDAY_ACTIONS } from './action-words.ts'
import type { Sentence } from './sentences.ts'
import { readTitleTokens, type TitleToken } from './title-tokens.ts'
import { isContentWord } from './words.ts'

/** Fewer announcements are no list of steps. */
const MIN_ANNOUNCED = 3
/** While more narration is to come, a list may have only begun. */
const MIN_ANNOUNCED_SO_FAR = 2
/** Announcements a minute of a narrated list of steps; no recording of the benchmark reaches half of one. */
const MIN_PER_MINUTE = 0.75
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
/** These go on as often as they begin something: "then turn it to the left". */
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

const PRONOUNS = new Set('it them this that these those him her'.split(' '))
/** What an instruction acts on begins like this, so the word before is a verb even if no list knows it. */
const OBJECT_STARTS = new Set(
  `the a an your my our this these all both each some any another one two three four five six seven eight nine ten half
off on out up down in away`.split(/\s+/),
)
const LINKS = new Set('and so then now also just please'.split(' '))
const NO_IMPERATIVE = /\w{3}(?:ing|ed|ly)$|'/

/**
 * The sentences with which the speaker of a narrated list announces the steps: "First, switch off the printer".
 * @param said `sentences` are all that is said, or all so far
 * @returns their indices in order; empty for a talk, in which "now" and "then" mean little
 */
export function findAnnouncedSteps(sentences: readonly Sentence[], said: 'all' | 'so far'): number[] {
  const minutes = ((sentences.at(-1)?.endMs ?? 0) - (sentences[0]?.startMs ?? 0)) / 60_000
  const found = [...sentences.keys()].filter((index) => findAnnouncedVerb(sentences[index] as Sentence) !== null)
  if (said === 'so far' && opensList(sentences[found[0] ?? -1]))
    return found.length >= MIN_PER_MINUTE * minutes ? found : []
  const least = said === 'all' ? MIN_ANNOUNCED : MIN_ANNOUNCED_SO_FAR
  return found.length >= least && found.length >= MIN_PER_MINUTE * (minutes + PRIOR_MINUTES) ? found : []
}

/** "First, …" promises that more steps follow. */
function opensList(sentence: Sentence | undefined): boolean {
  return sentence !== undefined && LIST_OPENING.test(sentence.words.slice(0, LEAD_WORDS).join(' '))
}

/**
 * Where the verb of an announced step stands: "open" in "Next, you open the cover".
 * @returns an index into the sentence's title tokens; null when it announces no step
 */
export function findAnnouncedVerb(sentence: Sentence): number | null {
  if (sentence.isQuestion) return null
  const tokens = readTitleTokens(sentence)
  const said = tokens.slice(0, LEAD_WORDS).map((token) => `${token.word} `)
  const lead = ANNOUNCEMENT.exec(said.join(''))
  if (lead === null) return null
  const verbIndex = lead[0].trim().split(' ').length
  if (!isImperative(tokens, verbIndex)) return null
  const isLight = lead[1] !== undefined
  return isLight && PRONOUNS.has(tokens[verbIndex + 1]?.word ?? '') ? null : verbIndex
}

function isImperative(tokens: readonly TitleToken[], index: number): boolean {
  const word = tokens[index]?.word ?? ''
  const next = tokens[index + 1]?.word
  if (next === undefined) return false
  if (ACTIONS.has(word) || EVERYDAY_ACTIONS.has(word)) return true
  return isContentWord(word) && !NO_IMPERATIVE.test(word) && OBJECT_STARTS.has(next)
}

/** True where the sentence acts on what was just spoken of, so that no step begins here: "Pull it straight up". */
export function actsOnPrevious(sentence: Sentence): boolean {
  const [verb = '', object = ''] = sentence.words.slice(sentence.words.findIndex((word) => !LINKS.has(word)))
  return (object === 'it' || object === 'them') && (ACTIONS.has(verb) || EVERYDAY_ACTIONS.has(verb))
}
