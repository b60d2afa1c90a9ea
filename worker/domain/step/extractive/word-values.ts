import { findAnnouncedSteps } from './announced-steps.ts'
import type { Rarity } from './cohesion.ts'
import { isInstruction } from './cues.ts'
import type { Sentence } from './sentences.ts'
import { splitWords, stemContentWords } from './words.ts'

/** How likely each stem of a step is to stand in the title that a person would give it, 0–1. */
export type WordValues = ReadonlyMap<string, number>

/** Words at the start of a step in which speakers announce what it is about. */
const ANNOUNCEMENT_WORDS = 50
/** Sentences after which the announcing effect has faded to about a third. */
const FADING_SENTENCES = 4

/** Logistic regression on the words of the chapters that people titled in the benchmark. */
const WEIGHTS = {
  bias: -4.65,
  often: -0.06,
  dense: 1.24,
  early: 0.82,
  soon: 0.89,
  asked: 0.68,
  isName: 0.52,
  rarity: -0.11,
  share: -1.16,
  inTitle: 1.02,
  oftenAndRare: 0.38,
}

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

/** What the recording as a whole says about its words. */
export interface Topic {
  rarity: Rarity
  /** How often each stem is said in the whole recording. */
  counts: ReadonlyMap<string, number>
  /** Stems of the recording's own title. */
  title: ReadonlySet<string>
  /** The speaker instructs the viewer many times; otherwise it is a talk. */
  isHowTo: boolean
  /** The speaker announces the steps one by one. */
  isAnnounced: boolean
}

/** Learns from a whole recording what {@link valueWords} needs to judge one of its steps. */
export function learnTopic(sentences: readonly Sentence[], rarity: Rarity, moduleTitle: string): Topic {
  const counts = new Map<string, number>()
  for (const sentence of sentences) for (const stem of sentence.stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const isAnnounced = findAnnouncedSteps(sentences, 'so far').length > 0
  const title = new Set(stemContentWords(splitWords(moduleTitle)))
  return { rarity, counts, title, isHowTo: isAnnounced || isHowTo(sentences), isAnnounced }
}

function isHowTo(sentences: readonly Sentence[]): boolean {
  const minutes = ((sentences.at(-1)?.endMs ?? 0) - (sentences[0]?.startMs ?? 0)) / 60_000
  const instructions = sentences.filter(isInstruction).length
  // One minute of borderline speech is mixed in, so that a clip is not judged by one sentence.
  return (instructions + HOW_TO_INSTRUCTIONS) / (minutes + 1) >= HOW_TO_INSTRUCTIONS
}

/** Values the content words of one step. */
export function valueWords(sentences: readonly Sentence[], topic: Topic): WordValues {
  const values = new Map<string, number>()
  const wordCount = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
  for (const [stem, mention] of collectMentions(sentences)) {
    values.set(stem, 1 / (1 + Math.exp(-weighMention(stem, { mention, topic, wordCount }))))
  }
  return values
}

function collectMentions(sentences: readonly Sentence[]): Map<string, Mention> {
  const mentions = new Map<string, Mention>()
  let words = 0
  sentences.forEach((sentence, index) => {
    const names = readNames(sentence)
    for (const stem of sentence.stems) {
      const mention = mentions.get(stem) ?? {
        count: 0,
        firstSentence: index,
        isEarly: words < ANNOUNCEMENT_WORDS,
        isAsked: false,
        isName: false,
      }
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

interface Context {
  mention: Mention
  topic: Topic
  /** Words of the step. */
  wordCount: number
}

function weighMention(stem: string, { mention, topic, wordCount }: Context): number {
  const often = Math.log(mention.count)
  const rarity = topic.rarity(stem)
  return (
    WEIGHTS.bias +
    WEIGHTS.often * often +
    WEIGHTS.dense * Math.log(1 + (100 * mention.count) / wordCount) +
    WEIGHTS.isName * Number(mention.isName) +
    WEIGHTS.early * Number(mention.isEarly) +
    WEIGHTS.soon * Math.exp(-mention.firstSentence / FADING_SENTENCES) +
    WEIGHTS.asked * Number(mention.isAsked) +
    WEIGHTS.rarity * rarity +
    WEIGHTS.share * (mention.count / Math.max(mention.count, topic.counts.get(stem) ?? 0)) +
    WEIGHTS.inTitle * Number(topic.title.has(stem)) +
    WEIGHTS.oftenAndRare * often * rarity
  )
}
