import { STEP_RULES } from '#contract/limits.ts'
import { trimEndOf } from '#contract/trim-end.ts'
import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { learnRarity } from './extractive/cohesion.ts'
import { describeStep } from './extractive/describe-step.ts'
import { proposeTitles } from './extractive/name-step.ts'
import { readSentences } from './extractive/sentences.ts'
import { shortenAtWord } from './extractive/title-text.ts'
import { learnTopic } from './extractive/word-values.ts'
import type { StepRange } from './tidy-range.ts'
import { joinText } from './tidy-segments.ts'

interface StepTexts {
  title: string
  description: string
}

/** Gives every range a legal title, unlike all others, and a legal description; what a draft lacks comes from the words. */
export function giveTexts(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepTexts[] {
  const all = readSentences(segments)
  const topic = learnTopic(all, learnRarity(all), '')
  const taken = new Set<string>()
  return ranges.map((range) => {
    const spoken = segments.slice(range.from, range.to)
    const sentences = readSentences(spoken)
    const written = cleanTitle(range.draft?.title ?? '')
    const title = makeDistinct([written, ...proposeTitles(sentences, topic).map(cleanTitle)].filter(isTitle), taken)
    taken.add(fold(title))
    return { title, description: chooseDescription(range.draft?.description ?? '', describeStep(sentences), spoken) }
  })
}

/** Titles unlike each other: the first step keeps its title, a later one with the same is named after other words. */
export function makeTitlesDistinct(steps: readonly { title: string; originalText: string }[]): string[] {
  const taken = new Set<string>()
  return steps.map(({ title, originalText }) => {
    const titles = taken.has(fold(title)) ? [title, ...nameByWords(originalText)] : [title]
    const distinct = makeDistinct(titles, taken)
    taken.add(fold(distinct))
    return distinct
  })
}

function nameByWords(text: string): string[] {
  const sentences = readSentences([{ id: '', startMs: 0, endMs: 0, text }])
  const topic = learnTopic(sentences, learnRarity(sentences), '')
  return proposeTitles(sentences, topic).map(cleanTitle).filter(isTitle)
}

/** A writer's numbering says nothing that the list does not show, and is wrong after a merge. */
const NUMBERING = /^(?:(?:step|part|chapter|section)\s*\d+\s*(?:[:.)–—-]+\s*|$)|\d+\s*[.):]\s+)/i

function cleanTitle(title: string): string {
  const line = plainText(title)
    .replace(NUMBERING, '')
    .replace(/^["'“”‘’*#_`\s-]+/, '')
  return shortenAtWord(trimEndOf(line, /["“”*#_`\s.,;:–—-]/), STEP_RULES.titleMaxChars)
}

function isTitle(title: string): boolean {
  return title.length >= STEP_RULES.titleMinChars && /[\p{L}\p{N}]/u.test(title)
}

const FALLBACK_TITLE = 'Watch this part'

function makeDistinct(titles: readonly string[], taken: ReadonlySet<string>): string {
  const free = titles.find((title) => !taken.has(fold(title)))
  if (free !== undefined) return free
  const base = titles[0] ?? FALLBACK_TITLE
  if (!taken.has(fold(base))) return base
  for (let part = 2; ; part += 1) {
    const suffix = ` (part ${part})`
    const title = shortenAtWord(base, STEP_RULES.titleMaxChars - suffix.length) + suffix
    if (!taken.has(fold(title))) return title
  }
}

function fold(title: string): string {
  return title.toLowerCase()
}

function chooseDescription(written: string, extracted: string, spoken: readonly SaidSegment[]): string {
  const max = STEP_RULES.descriptionMaxChars
  const long = [written, extracted]
    .map((text) => plainText(text))
    .find((text) => text.length >= STEP_RULES.descriptionMinChars)
  if (long === undefined) return `In this part: ${shortenAtWord(joinText(spoken), max - 20)}`
  return long.length <= max ? long : `${shortenAtWord(long, max - 1)}…`
}

function plainText(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim()
}
