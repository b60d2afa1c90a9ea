import { STRONG_ACTIONS } from './action-words.ts'
import type { Sentence } from './sentences.ts'
import { splitWords } from './words.ts'

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
  const opening = openingOf(sentence)
  const closing = closingOf(previous)
  const nextOpening = openingOf(next)
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
  return sentence.text
    .toLowerCase()
    .split(/[,;:]\s/)
    .some((clause) => {
      const [verb = ''] = splitWords(clause).join(' ').replace(LEAD_IN, '').split(' ')
      return STRONG_ACTIONS.has(verb)
    })
}

function openingOf(sentence: Sentence): string {
  return sentence.words.slice(0, OPENING_WORDS).join(' ')
}

function closingOf(sentence: Sentence): string {
  return sentence.words.slice(-OPENING_WORDS).join(' ')
}
