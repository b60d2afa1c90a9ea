import { trimEndOf } from '#contract/trim-end.ts'
import { isContentWord, type Sentence, splitWords, spokenMsOf, wordSet } from './sentences.ts'

/** Verbs of instructions that are never names in a how-to: they mark an instruction wherever they stand. */
export const UNMISTAKABLE_ACTIONS = wordSet(`select click choose press navigate scroll tap toggle enter paste drag
install uninstall download connect disconnect attach configure enable disable insert unplug tighten loosen unscrew`)

/** Verbs that start an instruction when they start a clause, and are hardly ever names there; with the unmistakable ones. */
export const STRONG_ACTIONS = wordSet(
  `open type create follow add remove delete upload replace rename save close launch execute adjust apply assign build
calculate clear combine compare compute convert declare define deploy determine divide draw duplicate edit export fill
fold generate highlight import initialize invite join learn listen locate login lower measure merge mix move multiply
organize pick place pour publish pull push register repeat review rotate run send share specify stir submit subtract
switch unlock update verify write wash clean cut fix find keep hold put turn explore understand discover read visit
inspect examine identify translate simplify solve prove derive compose map classify train evaluate prepare`,
  UNMISTAKABLE_ACTIONS,
)

/** All verbs that can make a title: the strong ones, and those that cannot be names after "to", "let's" and the like. */
export const ACTIONS = wordSet(
  `achieve access address allocate analyze animate answer append approach approximate arrange balance break bring
browse buy capture change charge check code collect color compile complete contact control cook copy correct count
decide decrease describe design detect develop differentiate display distribute document drill drop encode encrypt
estimate expand explain extend extract factor filter fit format forward get give graph group handle hire implement
improve include increase integrate introduce invest iterate label leave link list load log lock manage mark match
maximize minimize modify monitor negotiate normalize operate order pack paint pay perform plan play plot position
predict preview price print process produce program protect query raise randomize recognize record recover reduce
refactor refresh remember render reorder represent request reset resize restart restore return reuse reverse rewrite
scale schedule search secure set shift sign size sketch sort split start stop store structure study subscribe swap
sync tag take teach test track transfer transform undo use validate view visualize watch wire wrap zoom finish avoid
call offer grow cover`,
  STRONG_ACTIONS,
)
/** Those of {@link ACTIONS} after which seldom follows anything specific; a clause around one has to be better in all else. */
export const WEAK_ACTIONS = wordSet(`bring call cover finish avoid offer grow start stop give take get remember put keep
hold change find return`)
/** Verbs of hand work, which are so often names or fillers that only an announced step makes them instructions. */
const EVERYDAY_ACTIONS =
  wordSet(`put let peel chop heat fry boil bake season rinse drain plug slide screw bend dip dry shake
sprinkle spread squeeze tie tear make go hang hook knead melt roast grill whisk soak spray sand saw nail glue lay grab
tilt flip press cool warm`)

/** A word of a sentence as a title could show it. */
export interface TitleToken {
  /** As said, without punctuation around it. */
  shown: string
  word: string
  /** Punctuation follows: a phrase ends here. */
  isBreak: boolean
}

/** Splits a sentence into the words that titles are made of. */
export function readTitleTokens(sentence: Sentence): TitleToken[] {
  return sentence.text.split(/\s+/).flatMap((raw) => {
    const shown = trimEndOf(raw.replace(/^[^\p{L}\p{N}$#@./]+/u, ''), /[^\p{L}\p{N}+#%$]/u).replaceAll('’', "'")
    return /[\p{L}\p{N}]/u.test(shown)
      ? [{ shown, word: shown.toLowerCase(), isBreak: /[,.;:?!)\]…—–"”]$/.test(raw) }]
      : []
  })
}

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

const PRONOUNS = wordSet('it them this that these those him her')
/** What an instruction acts on begins like this, so the word before is a verb even if no list knows it. */
const OBJECT_STARTS =
  wordSet(`the a an your my our this these all both each some any another one two three four five six
seven eight nine ten half off on out up down in away`)
const LINKS = wordSet('and so then now also just please')
const NO_IMPERATIVE = /\w{3}(?:ing|ed|ly)$|'/

/**
 * The sentences with which the speaker of a narrated list announces the steps: "First, switch off the printer".
 * @param said `sentences` are all that is said, or all so far
 * @returns their indices in order; empty for a talk, in which "now" and "then" mean little
 */
export function findAnnouncedSteps(sentences: readonly Sentence[], said: 'all' | 'so far'): number[] {
  const minutes = spokenMsOf(sentences) / 60_000
  const found = [...sentences.keys()].filter((index) => findAnnouncedVerb(sentences[index] as Sentence) !== null)
  const opening = sentences[found[0] ?? -1]?.words.slice(0, LEAD_WORDS).join(' ') ?? ''
  // "First, …" promises that more steps follow.
  if (said === 'so far' && LIST_OPENING.test(opening)) return found.length >= MIN_PER_MINUTE * minutes ? found : []
  const least = said === 'all' ? MIN_ANNOUNCED : MIN_ANNOUNCED_SO_FAR
  return found.length >= least && found.length >= MIN_PER_MINUTE * (minutes + PRIOR_MINUTES) ? found : []
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
  const [verb = '', next] = tokens.slice(verbIndex).map((token) => token.word)
  const isLight = lead[1] !== undefined
  if (next === undefined || (isLight && PRONOUNS.has(next))) return null
  const isUnlisted = isContentWord(verb) && !NO_IMPERATIVE.test(verb) && OBJECT_STARTS.has(next)
  return ACTIONS.has(verb) || EVERYDAY_ACTIONS.has(verb) || isUnlisted ? verbIndex : null
}

/** True where the sentence acts on what was just spoken of, so that no step begins here: "Pull it straight up". */
export function actsOnPrevious(sentence: Sentence): boolean {
  const [verb = '', object = ''] = sentence.words.slice(sentence.words.findIndex((word) => !LINKS.has(word)))
  return (object === 'it' || object === 'them') && (ACTIONS.has(verb) || EVERYDAY_ACTIONS.has(verb))
}

/** Words at the start of a sentence that a cue may use; further in, the same words rarely open a topic. */
const OPENING_WORDS = 14

const LEAD_IN = /^(?:(?:so|now|and|but|first|next|then|okay|ok|well|alright|all right) )*/

/**
 * Discourse cues (after Hirschberg & Litman 1993 and Passonneau & Litman 1997): phrases with which speakers open a
 * topic, or show that they are in the middle of one. How much each counts is learned, see `cut-weights.ts`.
 */
const OPENING_CUES = {
  connective: /^(?:so|now|ok|okay|alright|all right|well|right)\b/,
  now: /^(?:(?:so|ok|okay|alright|all right|and|but|well) )*now\b/,
  intention:
    /\b(?:let's|let us|let me|(?:i'm|i am|we're|we are|you're) (?:\w+ )?(?:going to|gonna)|i (?:want|need|would like) to|i'd like to|we (?:want|need) to)\b/,
  ability: /\b(?:you|we|i) (?:can|could|will|would|may|might)\b|\b(?:i'll|we'll|you'll|you know)\b/,
  sequence: /\b(?:first|firstly|second|secondly|third|next|lastly|finally|another|one more|step)\b/,
  ordinal:
    /^(?:(?:so|now|and|but|okay|ok|then) )*(?:first|firstly|second|secondly|third|thirdly|next|finally|lastly|step)\b/,
  transition:
    /\b(?:move on|moving on|go on to|back to|go back|come back|return to|turn to|the (?:last|other|next|first|final) (?:thing|part|step|question|piece))\b/,
  before: new RegExp(`${LEAD_IN.source}before\\b|\\bbefore (?:i|we)\\b`),
  agenda: /\b(?:topic|question|questions|mentioned|talked|talk|you said|curious|challenge|goal|idea|problem|example)\b/,
  recap: /\b(?:so far|at this point|now that|i've|we've|we now|i have|we have|already|up to now|until now)\b/,
  afterwards: /^(?:and )?(?:then|after)\b/,
  here: /\bhere(?:'s)?\b/,
  present:
    /\b(?:this is|there is|there's|take a look|look at|consider|imagine|suppose|say you|remember|notice|think about)\b/,
  occasion: new RegExp(
    `${LEAD_IN.source}(?:to (?!be |me\\b|you\\b|the\\b)|in order to|if you (?:want|need|would like) to|if you'd like to|once|after you|when you)\\b`,
  ),
  addressee: /\b(?:do you|did you|have you|are you|were you|would you|can you|could you|your|tell us)\b/,
  continuing: /^(?:and|or|because|which|that|it|they|he|she|these|those|if|also|it's|that's|for|you|in)\b/,
  acknowledging: /^(?:i see|interesting|cool|nice|great|thanks|thank you|makes sense|good)\b/,
  farewell:
    /\b(?:thank you|thanks|see you|next video|next time|wrap up|wrapping up|to summarize|to sum up|in summary|summary|conclusion|conclude|end of this|assignment|exercise|homework|i hope)\b/,
} as const satisfies Record<string, RegExp>

/** Phrases that end what came before. */
const CLOSING_CUES = {
  promise: /\b(?:let's|i'll|we'll|in a (?:second|moment|minute)|later|come back|next)\b/,
  result:
    /\b(?:that's (?:how|why|what|it)|and so|as you can see|you can see|now we (?:can|have)|works|working|finished|ready|done)\b/,
} as const satisfies Record<string, RegExp>

/** Cues that also count in the sentence after: speakers often need one sentence to get going. */
const LINGERING_CUES = ['intention', 'agenda', 'recap', 'addressee', 'sequence', 'farewell', 'before'] as const

/** Columns of {@link readCues}, in its order; weights are kept by these names. */
export const CUE_NAMES: readonly string[] = [
  ...Object.keys(OPENING_CUES),
  ...Object.keys(CLOSING_CUES),
  ...LINGERING_CUES.map((name) => `${name} next`),
  'promise next',
]

/** One value per name in {@link CUE_NAMES}: 1 where the cue is present at the start of this sentence. */
export function readCues(sentence: Sentence, previous: Sentence, next: Sentence): number[] {
  const closingOf = ({ words }: Sentence) => words.slice(-OPENING_WORDS).join(' ')
  const [opening, closing, nextOpening] = [openingOf(sentence), closingOf(previous), openingOf(next)]
  return [
    ...Object.values(OPENING_CUES).map((cue) => cue.test(opening)),
    ...Object.values(CLOSING_CUES).map((cue) => cue.test(closing)),
    ...LINGERING_CUES.map((name) => OPENING_CUES[name].test(nextOpening)),
    CLOSING_CUES.promise.test(closingOf(sentence)),
  ].map(Number)
}

/** True where the speaker says what comes next: "let's add a button", "to create a project". */
export function isAnnouncement(sentence: Sentence): boolean {
  const opening = openingOf(sentence)
  return OPENING_CUES.intention.test(opening) || OPENING_CUES.occasion.test(opening)
}

/** True where the sentence instructs the viewer, at the start or after a comma: "If it is closed, click Open". */
export function isInstruction(sentence: Sentence): boolean {
  return sentence.text.split(/[,;:]\s/).some((clause) => {
    const [verb = ''] = splitWords(clause).join(' ').replace(LEAD_IN, '').split(' ')
    return STRONG_ACTIONS.has(verb)
  })
}

function openingOf(sentence: Sentence): string {
  return sentence.words.slice(0, OPENING_WORDS).join(' ')
}
