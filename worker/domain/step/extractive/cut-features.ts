import { isInstruction, LEAD_IN, learnRarity, rememberOf, type Sentence, spokenMsOf } from './sentences.ts'

/** Words at the start of a sentence that a cue may use; further in, the same words rarely open a topic. */
const OPENING_WORDS = 14

/**
 * Discourse cues (after Hirschberg & Litman 1993 and Passonneau & Litman 1997): phrases with which speakers open a
 * topic, or show that they are in the middle of one. How much each counts is learned, see `step-weights.json`.
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

/** The cues at the start of a sentence, in the order of their columns; weights are kept by these names. */
const CUE_NAMES: readonly string[] = [
  ...Object.keys(OPENING_CUES),
  ...Object.keys(CLOSING_CUES),
  ...LINGERING_CUES.map((name) => `${name} next`),
  'promise next',
]

/** Which cues are in one sentence, 1 or 0, each list in the order of its names, and what else its words show. */
interface FoundCues {
  opening: readonly number[]
  closing: readonly number[]
  /** For the sentence before. */
  lingering: readonly number[]
  promise: number
  /** Words at its start that point back. */
  anaphora: number
}

const foundCues = new WeakMap<Sentence['words'], FoundCues>()

const OPENING_NAMES = Object.keys(OPENING_CUES)
const LINGERING_PLACES = LINGERING_CUES.map((name) => OPENING_NAMES.indexOf(name))
const PROMISE_PLACE = Object.keys(CLOSING_CUES).indexOf('promise')

function findCues(sentence: Sentence): FoundCues {
  const findIn = (cues: Record<string, RegExp>, text: string) =>
    Object.values(cues).map((cue) => Number(cue.test(text)))
  const opening = findIn(OPENING_CUES, openingOf(sentence))
  const closing = findIn(CLOSING_CUES, sentence.words.slice(-OPENING_WORDS).join(' '))
  const lingering = LINGERING_PLACES.map((place) => opening[place] ?? 0)
  const anaphora = sentence.words.slice(0, ANAPHORA_WORDS).filter((word) => ANAPHORA.test(word)).length
  return { opening, closing, lingering, promise: closing[PROMISE_PLACE] ?? 0, anaphora }
}

/** True where the speaker says what comes next: "let's add a button", "to create a project". */
function isAnnouncement(sentence: Sentence): boolean {
  const opening = openingOf(sentence)
  return OPENING_CUES.intention.test(opening) || OPENING_CUES.occasion.test(opening)
}

function openingOf(sentence: Sentence): string {
  return sentence.words.slice(0, OPENING_WORDS).join(' ')
}

/** A narration whose stems have numbers, so that windows of it can be counted without a map. */
interface NumberedNarration {
  sentences: readonly { wordCount: number; stems: readonly number[] }[]
  /** How rare each stem is, by its number. */
  rarities: readonly number[]
}

function numberStems(sentences: readonly Sentence[]): NumberedNarration {
  const rarity = learnRarity(sentences)
  const numbers = new Map<string, number>()
  for (const { stems } of sentences) for (const stem of stems) if (!numbers.has(stem)) numbers.set(stem, numbers.size)
  return {
    // A sentence of signs alone counts as a word, so that a row of them fills a window.
    sentences: sentences.map(({ words, stems }) => ({
      wordCount: Math.max(1, words.length),
      stems: stems.map((stem) => numbers.get(stem) ?? 0),
    })),
    rarities: [...numbers.keys()].map(rarity),
  }
}

/** The stems of so many words on one side of a sentence's start, which moves from sentence to sentence. */
class StemWindow {
  readonly #narration: NumberedNarration
  readonly #windowWords: number
  /** How often each stem is said in the window, by its number. */
  readonly #counts = new Map<number, number>()
  /** The window has the sentences from here to before `#to`. */
  #from = 0
  #to = 0
  #words = 0

  constructor(narration: NumberedNarration, windowWords: number) {
    this.#narration = narration
    this.#windowWords = windowWords
  }

  get stems(): Iterable<number> {
    return this.#counts.keys()
  }

  countOf(stem: number): number {
    return this.#counts.get(stem) ?? 0
  }

  /** Moves the window to the words before a sentence; the sentences have to come in order. */
  endBefore(index: number): void {
    while (this.#to < index) this.#add()
    while (this.#words - this.#wordsOf(this.#from) >= this.#windowWords) this.#drop()
  }

  /** Moves the window to the words from a sentence on; the sentences have to come in order. */
  beginWith(index: number): void {
    while (this.#from < index) this.#drop()
    while (this.#words < this.#windowWords && this.#to < this.#narration.sentences.length) this.#add()
  }

  #wordsOf(index: number): number {
    return this.#narration.sentences[index]?.wordCount ?? 0
  }

  #add(): void {
    this.#words += this.#wordsOf(this.#to)
    for (const stem of this.#narration.sentences[this.#to]?.stems ?? []) {
      this.#counts.set(stem, this.countOf(stem) + 1)
    }
    this.#to += 1
  }

  #drop(): void {
    this.#words -= this.#wordsOf(this.#from)
    for (const stem of this.#narration.sentences[this.#from]?.stems ?? []) {
      const count = this.countOf(stem) - 1
      if (count === 0) this.#counts.delete(stem)
      else this.#counts.set(stem, count)
    }
    this.#from += 1
  }

  /** What a stem weighs in the window. */
  weigh(stem: number): number {
    return Math.sqrt(this.countOf(stem)) * (this.#narration.rarities[stem] ?? 0)
  }

  get length(): number {
    let sum = 0
    for (const [stem, count] of this.#counts) sum += count * (this.#narration.rarities[stem] ?? 0) ** 2
    return Math.sqrt(sum)
  }
}

/** Lexical similarity across each sentence's start: cosine between the words before and after it, 0–1. */
function measureSimilarity(narration: NumberedNarration, windowWords: number): number[] {
  const before = new StemWindow(narration, windowWords)
  const after = new StemWindow(narration, windowWords)
  return narration.sentences.map((_, index) => {
    before.endBefore(index)
    after.beginWith(index)
    const norm = before.length * after.length
    let dot = 0
    for (const stem of before.stems) dot += before.weigh(stem) * after.weigh(stem)
    return norm === 0 ? 0 : dot / norm
  })
}

/** How deep each value lies below the nearest peaks on both sides (TextTiling's depth score). */
function measureDepth(values: readonly number[]): number[] {
  const before = climb(values)
  const after = climb(values.toReversed()).reverse()
  return values.map((value, index) => (before[index] ?? 0) - value + ((after[index] ?? 0) - value))
}

/** The nearest peak at or before each value. */
function climb(values: readonly number[]): number[] {
  let peak = Number.NEGATIVE_INFINITY
  return values.map((value, index) => {
    if ((values[index - 1] ?? Number.NEGATIVE_INFINITY) < value) peak = value
    return peak
  })
}

/** Below this a gap is rounding of the times, not silence. */
const SILENCE_MS = 60
/** A recording whose sentences join without silence more often than this has made-up or snapped times. */
const MAX_JOINED_SHARE = 0.7

/**
 * How remarkable the silence before each sentence is, 0–3: its length against this recording's usual pause.
 * All zero where the times between segments were interpolated, since such gaps say nothing.
 */
export function measurePauses(sentences: readonly Sentence[]): number[] {
  const gaps = sentences.slice(1).map((sentence) => sentence.gapMs)
  const joined = gaps.filter((gap) => gap < SILENCE_MS).length
  if (joined > gaps.length * MAX_JOINED_SHARE) return sentences.map(() => 0)
  const silences = gaps.filter((gap) => gap >= SILENCE_MS).toSorted((left, right) => left - right)
  const usual = silences[Math.floor(silences.length / 2)] ?? 0
  return sentences.map((sentence) => Math.min(3, Math.log2(1 + sentence.gapMs / Math.max(usual, SILENCE_MS))))
}

/**
 * The usual step lasts so many seconds times the square root of the recording's seconds, at the usual rate of
 * signposts. Within each group of the benchmark, length grows about with the square root: a short clip has short steps.
 */
const LENGTH_SCALE = 2.9
/** Signposts a minute in guided speech. */
const USUAL_SIGNPOSTS = 4
/** A scripted lecture gives half as many signposts, and its chapters are twice as long as a screencast's. */
const SIGNPOST_POWER = 0.9
/** Fewer announcements a minute say no more about granularity; text without punctuation hides many. */
const MIN_SIGNPOSTS = 1.8
/** Nor do more: a speaker who says "so" all the time has no finer steps. */
const MAX_SIGNPOSTS = 4
/** Instructions halve the usual length at most, or every click would be a step. */
const MAX_SIGNPOSTS_WITH_INSTRUCTIONS = 8
/** Minutes of usual speech that are mixed in, so that a clip of a minute is not judged by two sentences. */
const PRIOR_MINUTES = 1
/** How-to steps consist of instructions to the viewer, so one counts for as much as several announcements. */
const INSTRUCTION_SIGNPOSTS = 3

/**
 * Estimates how long a step usually lasts, from the length of the video and from how often the speaker has announced
 * steps so far.
 * @param lengthMs of the whole video; of the transcript while that is unknown
 */
export function usualStepMs(sentences: readonly Sentence[], lengthMs: number): number {
  const signposts = sentences.reduce((sum, sentence) => sum + countSignposts(sentence), USUAL_SIGNPOSTS * PRIOR_MINUTES)
  const announced = Math.min(MAX_SIGNPOSTS, Math.max(MIN_SIGNPOSTS, ratePerMinute(signposts, sentences, PRIOR_MINUTES)))
  const instructed = INSTRUCTION_SIGNPOSTS * countInstructionsPerMinute(sentences)
  const rate = Math.min(MAX_SIGNPOSTS_WITH_INSTRUCTIONS, announced + instructed)
  return 1_000 * LENGTH_SCALE * Math.sqrt(lengthMs / 1_000) * (USUAL_SIGNPOSTS / rate) ** SIGNPOST_POWER
}

function ratePerMinute(count: number, sentences: readonly Sentence[], priorMinutes: number): number {
  return count / (spokenMsOf(sentences) / 60_000 + priorMinutes)
}

/** How often the speaker instructs the viewer; minutes without instructions are mixed in. */
function countInstructionsPerMinute(sentences: readonly Sentence[], priorMinutes = PRIOR_MINUTES): number {
  return ratePerMinute(sentences.filter(isInstruction).length, sentences, priorMinutes)
}

/** An opening "so" or "now" steers as much as an announcement does. */
const CONNECTIVE = /^(?:so|now|ok|okay|alright|all|well|right)$/

function countSignposts(sentence: Sentence): number {
  return (
    Number(sentence.isQuestion) + Number(CONNECTIVE.test(sentence.words[0] ?? '')) + Number(isAnnouncement(sentence))
  )
}

/** Words on either side of a cut: half a minute, one minute and two minutes of speech at about 150 words a minute. */
const NEAR_WORDS = 60
const MID_WORDS = 150
const FAR_WORDS = 300
/** A stem said this often after a cut and not before it opens a topic. */
const TOPIC_REPEATS = 2
/** Sentences without a question after which the next one counts as the first of a new exchange. */
const ASKING_MEMORY = 6
/** How far an introduction and a farewell reach into a recording. */
const EDGE_MS = 45_000
/** Words that point back at what was just said. */
const ANAPHORA = /^(?:it|it's|that|that's|this|they|them|he|she|these|those|which|him|her|did|not)$/
const ANAPHORA_WORDS = 6

/** Columns of {@link measureFeatures}, in its order; weights are kept by these names. */
export const FEATURE_NAMES: readonly string[] = [
  'depthMid',
  'similarityNear',
  'similarityFar',
  'newTopic',
  'pause',
  'firstQuestion',
  'early',
  'late',
  'anaphora',
  ...CUE_NAMES,
]

/** One row per sentence, in the order of {@link FEATURE_NAMES}: how much each sign speaks for a step that begins there. */
export function measureFeatures(sentences: readonly Sentence[]): number[][] {
  const narration = numberStems(sentences)
  const firstMs = sentences[0]?.startMs ?? 0
  const lastMs = sentences.at(-1)?.endMs ?? 0
  const cues = sentences.map((sentence) => rememberOf(foundCues, sentence, findCues))
  const columns = [
    standardize(measureDepth(measureSimilarity(narration, MID_WORDS))),
    standardize(measureSimilarity(narration, NEAR_WORDS)),
    standardize(measureSimilarity(narration, FAR_WORDS)),
    standardize(measureNewTopics(narration)),
    measurePauses(sentences),
    sentences.map((_, index) => Number(isFirstQuestion(sentences, index))),
    sentences.map(({ startMs }) => Math.exp((firstMs - startMs) / EDGE_MS)),
    sentences.map(({ startMs }) => Math.exp((startMs - lastMs) / EDGE_MS)),
    cues.map(({ anaphora }) => anaphora),
  ]
  return cues.map((own, index) => {
    const [previous = own, next = own] = [cues[index - 1], cues[index + 1]]
    return [
      ...columns.map((column) => column[index] ?? 0),
      ...own.opening,
      ...previous.closing,
      ...next.lingering,
      own.promise,
    ]
  })
}

function isFirstQuestion(sentences: readonly Sentence[], index: number): boolean {
  if (!sentences.slice(index, index + 3).some((sentence) => sentence.isQuestion)) return false
  return !sentences.slice(Math.max(0, index - ASKING_MEMORY), index).some((sentence) => sentence.isQuestion)
}

function measureNewTopics(narration: NumberedNarration): number[] {
  const before = new StemWindow(narration, FAR_WORDS)
  const after = new StemWindow(narration, NEAR_WORDS)
  return narration.sentences.map((_, index) => {
    before.endBefore(index)
    after.beginWith(index)
    let sum = 0
    for (const stem of after.stems) {
      if (after.countOf(stem) >= TOPIC_REPEATS && before.countOf(stem) === 0) sum += narration.rarities[stem] ?? 0
    }
    return sum
  })
}

/** Values as distances from this recording's mean, so that long and short, dense and thin talks compare. */
function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length))
  return values.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation))
}

/** Instructions a minute of a click-through without sequence words; no recording of the benchmark has one. */
const DENSE_INSTRUCTIONS = 3
/** Minutes that are mixed in then, so that four instructions in 20 s are one and two are none. */
const CLICK_PRIOR_MINUTES = 0.9
/** Subtracted from the log odds of a sentence without an instruction in such a click-through; set by hand. */
const REMARK_PENALTY = 2
/** Where nearly every sentence is an instruction, pauses show best which ones belong together; set by hand. */
const DENSE_PAUSE_BONUS = 2
/** Fitted signs count less there: with a few words on either side, similarity is mostly chance; set by hand. */
const DENSE_TRUST = 0.5

/** True where nearly every sentence is an instruction; its scores do not compare with those of other narrations. */
export function isClickThrough(sentences: readonly Sentence[]): boolean {
  return countInstructionsPerMinute(sentences, CLICK_PRIOR_MINUTES) >= DENSE_INSTRUCTIONS
}

/** Rates the sentences of a click-through, where instructions and pauses say more than the fitted signs. */
export function rateInstructions(sentences: readonly Sentence[], fitted: readonly number[]): number[] {
  const pauses = measurePauses(sentences)
  return sentences.map((sentence, index) => {
    const opens = isInstruction(sentence) || isAnnouncement(sentence)
    const sure = opens ? DENSE_PAUSE_BONUS * (pauses[index] ?? 0) : -REMARK_PENALTY
    return DENSE_TRUST * (fitted[index] ?? 0) + sure
  })
}
