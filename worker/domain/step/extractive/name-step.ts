import { findActionTitles, findAnnouncedTitle } from './action-titles.ts'
import type { Sentence } from './sentences.ts'
import type { TitleIdea } from './title-idea.ts'
import { polishTitle } from './title-text.ts'
import { findTopicTitles } from './topic-titles.ts'
import { type Topic, valueWords, type WordValues } from './word-values.ts'

/** Content words of a usual title in the benchmark; a longer one has to earn its words. */
const USUAL_TITLE_WORDS = 4
/** What being an instruction is worth against naming the right words: the point of a how-to, a detail of a talk. */
const ACTION_BONUS = { howTo: 0.12, talk: 0.05 }
const MAX_TOPICS_COMBINED = 20

interface Ranked extends TitleIdea {
  score: number
}

/**
 * Ranks what is said in a step by how well it names it, best first: the announced action, instructions as they are given, and topics, which
 * a how-to asks the viewer to understand and a talk just names. Empty only when no topic word was said.
 */
export function proposeTitles(sentences: readonly Sentence[], topic: Topic): string[] {
  const values = valueWords(sentences, topic)
  const bonus = topic.isHowTo ? ACTION_BONUS.howTo : ACTION_BONUS.talk
  const actions = sentences.flatMap(findActionTitles).map((idea) => rank(idea, values, bonus))
  const phrases = sentences.flatMap(findTopicTitles).map((idea) => rank(idea, values, 0))
  phrases.sort(byScore)
  const topics = [...phrases, ...combine(phrases.slice(0, MAX_TOPICS_COMBINED), values)]
  const named = topics.map((idea) => ({ ...idea, text: nameTopic(idea.text, topic) }))
  const ranked = [...actions, ...named].sort(byScore).map((idea) => idea.text)
  const announced = topic.isAnnounced ? sentences.flatMap((sentence) => findAnnouncedTitle(sentence) ?? []) : []
  const titles = [...announced, ...ranked].map(polishTitle)
  return [...new Set(titles)].filter((title) => title.length >= 3)
}

function rank(idea: TitleIdea, values: WordValues, actionBonus: number): Ranked {
  const value = [...new Set(idea.stems)].reduce((sum, stem) => sum + (values.get(stem) ?? 0), 0)
  return { ...idea, score: (2 * value) / (idea.stems.length + USUAL_TITLE_WORDS) + actionBonus * idea.strength }
}

function nameTopic(text: string, topic: Topic): string {
  return topic.isHowTo ? `Understand ${text}` : text.replace(/^the /, '')
}

function combine(topics: readonly Ranked[], values: WordValues): Ranked[] {
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
