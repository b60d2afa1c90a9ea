import { STEP_RULES } from '#contract/limits.ts'
import { trimEndOf } from '#worker/domain/step/extractive/sentences.ts'
import { learnTopic, proposeTitles } from './extractive/name-step.ts'
import { readSentences } from './extractive/sentences.ts'
import { shortenAtWord } from './extractive/title-ideas.ts'

/** Makes any text one line of valid characters. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Titles unlike each other: the first step keeps its title, a later one with the same is named after other words. */
export function makeTitlesDistinct(steps: readonly { title: string; originalText: string }[]): string[] {
  const taken = new Set<string>()
  return steps.map(({ title, originalText: text }) => {
    if (!taken.has(title.toLowerCase())) return takeDistinct([title], taken)
    const sentences = readSentences([{ id: '', startMs: 0, endMs: 0, text }])
    const others = proposeTitles(sentences, learnTopic(sentences)).map(cleanTitle).filter(isTitle)
    return takeDistinct([title, ...others], taken)
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

const FALLBACK_TITLE = 'Watch this part'

/** The first title that is not taken, or else a part of the first; it is taken then. */
export function takeDistinct(titles: readonly string[], taken: Set<string>): string {
  const [base = FALLBACK_TITLE] = titles
  let title = titles.find((each) => !taken.has(each.toLowerCase())) ?? base
  for (let part = 2; taken.has(title.toLowerCase()); part += 1) {
    const suffix = ` (part ${part})`
    title = shortenAtWord(base, STEP_RULES.titleMaxChars - suffix.length) + suffix
  }
  taken.add(title.toLowerCase())
  return title
}
