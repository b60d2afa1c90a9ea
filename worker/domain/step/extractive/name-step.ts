import { STEP_RULES } from '#contract/limits.ts'
import { type CountSteps, uncounted } from '#worker/domain/count-steps.ts'
import { showClock } from '#worker/domain/prompt-data.ts'
import { trimEndOf } from '#worker/domain/trim-end.ts'
import {
  findAnnouncedSteps,
  isInstruction,
  learnRarity,
  readSentences,
  type Sentence,
  splitWords,
  spokenMsOf,
  stemContentWords,
} from './sentences.ts'
import { keepSpeakable } from './speakable.ts'
import fitted from './step-weights.json' with { type: 'json' }
import {
  findActionTitles,
  findAnnouncedTitle,
  findTopicTitles,
  polishTitle,
  shortenAtWord,
  type TitleIdea,
} from './title-ideas.ts'

/** Words at the start of a step in which speakers announce what it is about. */
const ANNOUNCEMENT_WORDS = 50
/** Sentences after which the announcing effect has faded to about a third. */
const FADING_SENTENCES = 4

/**
 * How much each sign of a word speaks for its standing in the title that a person would give, as log odds; a sign
 * without a weight does not count. Fitted by `npm run fit -- steps`.
 */
export interface TitleModel {
  bias: number
  weights: Readonly<Record<string, number>>
}

/** Columns of {@link measureWords}, in its order; weights are kept by these names. */
export const TITLE_SIGNS: readonly string[] = [
  'often',
  'dense',
  'early',
  'soon',
  'asked',
  'isName',
  'rarity',
  'share',
  'inTitle',
  'oftenAndRare',
]

/** Instructions a minute: .1 in lectures and interviews, .3 in screencasts that explain, .8 and more in how-tos. */
const HOW_TO_INSTRUCTIONS = 0.5

interface Mention {
  count: number
  firstSentence: number
  isEarly: boolean
  isAsked: boolean
  /** Written with a capital inside a sentence. */
  isName: boolean
}

type Topic = ReturnType<typeof learnTopic>

/** Learns from a whole recording what {@link proposeTitles} needs to name one of its steps. */
export function learnTopic(sentences: readonly Sentence[], moduleTitle = '', model: TitleModel = fitted.titles) {
  const counts = new Map<string, number>()
  for (const sentence of sentences) for (const stem of sentence.stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const isAnnounced = findAnnouncedSteps(sentences, 'so far').length > 0
  const instructions = sentences.filter(isInstruction).length
  return {
    model,
    rarity: learnRarity(sentences),
    /** How often each stem is said in the whole recording. */
    counts,
    /** Stems of the recording's own title. */
    title: new Set(stemContentWords(splitWords(moduleTitle))),
    /** The speaker instructs the viewer many times; otherwise it is a talk. */
    isHowTo: isAnnounced || instructions >= (HOW_TO_INSTRUCTIONS * spokenMsOf(sentences)) / 60_000,
    /** The speaker announces the steps one by one. */
    isAnnounced,
  }
}

/** How likely each stem of a step is to stand in the title that a person would give it, 0–1. */
function valueWords(sentences: readonly Sentence[], topic: Topic): Map<string, number> {
  const { bias, weights } = topic.model
  const columns = TITLE_SIGNS.map((name) => weights[name] ?? 0)
  const values = new Map<string, number>()
  for (const [stem, signs] of measureWords(sentences, topic)) {
    const logOdds = signs.reduce((sum, sign, at) => sum + sign * (columns[at] ?? 0), bias)
    values.set(stem, 1 / (1 + Math.exp(-logOdds)))
  }
  return values
}

/** One row for each stem of a step, in the order of {@link TITLE_SIGNS}. */
export function measureWords(sentences: readonly Sentence[], topic: Topic): Map<string, number[]> {
  const wordCount = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
  const mentions = [...collectMentions(sentences)]
  return new Map(mentions.map(([stem, mention]) => [stem, readSigns(stem, mention, { topic, wordCount })]))
}

function collectMentions(sentences: readonly Sentence[]): Map<string, Mention> {
  const mentions = new Map<string, Mention>()
  let words = 0
  sentences.forEach((sentence, index) => {
    const names = readNames(sentence)
    const first = { count: 0, firstSentence: index, isEarly: words < ANNOUNCEMENT_WORDS, isAsked: false, isName: false }
    for (const stem of sentence.stems) {
      const mention = mentions.get(stem) ?? { ...first }
      mention.count += 1
      mention.isAsked ||= sentence.isQuestion
      mention.isName ||= names.has(stem)
      mentions.set(stem, mention)
    }
    words += sentence.words.length
  })
  return mentions
}

function readNames(sentence: Sentence): Set<string> {
  const names = sentence.text
    .split(/\s+/)
    .slice(1)
    .filter((word) => /^["'“‘(]*\p{Lu}/u.test(word))
  return new Set(stemContentWords(splitWords(names.join(' '))))
}

function readSigns(
  stem: string,
  mention: Mention,
  { topic, wordCount }: { topic: Topic; wordCount: number },
): number[] {
  const often = Math.log(mention.count)
  const rarity = topic.rarity(stem)
  return [
    often,
    Math.log(1 + (100 * mention.count) / wordCount),
    Number(mention.isEarly),
    Math.exp(-mention.firstSentence / FADING_SENTENCES),
    Number(mention.isAsked),
    Number(mention.isName),
    rarity,
    mention.count / Math.max(mention.count, topic.counts.get(stem) ?? 0),
    Number(topic.title.has(stem)),
    often * rarity,
  ]
}

/** Content words of a usual title in the benchmark; a longer one has to earn its words. */
const USUAL_TITLE_WORDS = 4
/** What being an instruction is worth against naming the right words: the point of a how-to, a detail of a talk. */
const ACTION_BONUS = { howTo: 0.12, talk: 0.05 }
const MAX_TOPICS_COMBINED = 20

interface Ranked extends TitleIdea {
  score: number
}

/**
 * Ranks what is said in a step by how well it names it, best first: the announced action, instructions as they are given, and topics. Empty only when no topic word was said.
 */
export function proposeTitles(sentences: readonly Sentence[], topic: Topic): string[] {
  const values = valueWords(sentences, topic)
  const bonus = topic.isHowTo ? ACTION_BONUS.howTo : ACTION_BONUS.talk
  const actions = sentences.flatMap(findActionTitles).map((idea) => rank(idea, values, bonus))
  const phrases = sentences.flatMap(findTopicTitles).map((idea) => rank(idea, values, 0))
  phrases.sort(byScore)
  const lexicon = sentences[0]?.lexicon ?? null
  const topics = lexicon === null ? [...phrases, ...combine(phrases.slice(0, MAX_TOPICS_COMBINED), values)] : phrases
  const named = topics.map((idea) => ({ ...idea, text: idea.text.replace(/^the /, '') }))
  const ranked = [...actions, ...named].sort(byScore).map((idea) => idea.text)
  const announced = topic.isAnnounced ? sentences.flatMap((sentence) => findAnnouncedTitle(sentence) ?? []) : []
  const titles = [...announced, ...ranked].map((title) => polishTitle(title, lexicon))
  return [...new Set(titles)].filter(isTitle)
}

/** True where a title says no more than that of the video: what the video is about is no step of it. */
export function repeatsTitle(title: string, moduleTitle: string): boolean {
  const moduleStems = new Set(stemContentWords(splitWords(moduleTitle)))
  const stems = stemContentWords(splitWords(title))
  return (
    moduleStems.size > 0 &&
    stems.length > 0 &&
    [...moduleStems].every((stem) => stems.includes(stem)) &&
    stems.every((stem) => moduleStems.has(stem))
  )
}

function rank(idea: TitleIdea, values: ReadonlyMap<string, number>, actionBonus: number): Ranked {
  const value = [...new Set(idea.stems)].reduce((sum, stem) => sum + (values.get(stem) ?? 0), 0)
  return { ...idea, score: (2 * value) / (idea.stems.length + USUAL_TITLE_WORDS) + actionBonus * idea.strength }
}

function combine(topics: readonly Ranked[], values: ReadonlyMap<string, number>): Ranked[] {
  return topics.flatMap((first, index) => {
    return topics.slice(index + 1).flatMap((second) => {
      if (second.stems.some((stem) => first.stems.includes(stem))) return []
      const stems = [...first.stems, ...second.stems]
      return [rank({ text: `${first.text} and ${second.text}`, stems, strength: 0 }, values, 0)]
    })
  })
}

function byScore(left: Ranked, right: Ranked): number {
  return right.score - left.score
}

/** Makes any text one line of valid characters. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** What makes titles distinct look at. */
interface Titled {
  title: string
  originalText: string
  /** Some of its words may not have been said, so no other title is taken from them. */
  isUnsure?: boolean
}

/**
 * Titles unlike each other: the first step keeps its title, a later one with the same is named after other words. An
 * empty title stays empty.
 * @param count counts the titles that are tried
 */
export function makeTitlesDistinct(steps: readonly Titled[], count: CountSteps = uncounted): string[] {
  const taken = new TakenTitles()
  return steps.map(({ title, originalText: text, isUnsure = false }) => {
    if (title === '') return ''
    if (!taken.has(title) || isUnsure) return taken.take([title], count)
    const sentences = readSentences(keepSpeakable([{ id: '', startMs: 0, endMs: 0, text }]), null)
    const others = proposeTitles(sentences, learnTopic(sentences)).map(cleanTitle).filter(isTitle)
    return taken.take([title, ...others], count)
  })
}

/** A writer's numbering says nothing that the list does not show, and is wrong after a merge. */
const NUMBERING = /^(?:(?:step|part|chapter|section)\s*\d+\s*(?:[:.)–—-]+\s*|$)|\d+\s*[.):]\s+)/i

/** Makes one line of a written title, without markup and numbering; it may be too short. */
export function cleanTitle(title: string): string {
  const line = cleanText(title)
    .replace(NUMBERING, '')
    .replace(/^["'“”‘’*#_`\s-]+/, '')
  return shortenAtWord(trimEndOf(line, /["“”*#_`\s.,;:–—-]/), STEP_RULES.titleMaxChars)
}

/** Makes a title of what a model wrote. @returns null where it is none */
export function readTitle(written: string): string | null {
  const title = cleanTitle(written)
  return isTitle(title) ? title : null
}

/** True where a cleaned title says something. */
export function isTitle(title: string): boolean {
  return title.length >= STEP_RULES.titleMinChars && /[\p{L}\p{N}]/u.test(title)
}

/**
 * Titles a step by its times, where no word of it is sure enough to name it.
 * @param number its place in the list, from 1; null where that is not known
 */
export function titleByTimes({ startMs, endMs }: { startMs: number; endMs: number }, number: number | null): string {
  const times = `${showClock(startMs)}–${showClock(endMs)}`
  return `Part${number === null ? '' : ` ${number}`} (${times})`
}

const FALLBACK_TITLE = 'Watch this part'

/** The titles that other steps have, in lower case. */
export class TakenTitles {
  readonly #titles = new Set<string>()
  /** How many parts each title has so far, so that a thousand steps with one title are not numbered from the start each time. */
  readonly #parts = new Map<string, number>()

  has(title: string): boolean {
    return this.#titles.has(title.toLowerCase())
  }

  /**
   * Takes the first title that is free, or else a part of the first one.
   * @param count counts the titles that are tried
   */
  take(titles: readonly string[], count: CountSteps = uncounted): string {
    const [base = FALLBACK_TITLE] = titles
    let title = titles.find((each) => !this.has(each)) ?? base
    let part = this.#parts.get(base.toLowerCase()) ?? 1
    for (count(1); this.has(title); count(1)) {
      part += 1
      const suffix = ` (part ${part})`
      title = shortenAtWord(base, STEP_RULES.titleMaxChars - suffix.length) + suffix
    }
    this.#parts.set(base.toLowerCase(), part)
    this.#titles.add(title.toLowerCase())
    return title
  }
}
