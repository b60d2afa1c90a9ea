import { findHeading } from '#contract/chapters.ts'
import type { SharedStep } from '#contract/step.ts'
import { showClock } from '#worker/domain/prompt-data.ts'

/** A training as it is written down, with the addresses that go with it. */
export interface WrittenTraining {
  title: string
  /** In the order of the list. */
  steps: readonly SharedStep[]
  /** Address of the video, at a second of it. */
  playUrl: (atS: number) => string
  /** Address of the image of a step; null where there is none. */
  imageUrl: (step: SharedStep) => string | null
}

/** Writes the steps of a training as CommonMark. */
export function writeMarkdown(training: WrittenTraining): string {
  const { title, steps, playUrl } = training
  const hasChapters = steps.some(({ chapter }) => chapter !== null)
  const blocks = steps.flatMap((step, index) => [
    ...writeHeading(findHeading(steps, index)),
    ...writeStep(training, step, { number: index + 1, level: hasChapters ? '###' : '##' }),
  ])
  return `${[`# ${escapeLine(title)}`, `[Watch the video](${playUrl(0)})`, ...blocks].join('\n\n')}\n`
}

function writeHeading(title: string | null | undefined): string[] {
  if (title === undefined) return []
  return [title === null ? '---' : `## ${escapeLine(title)}`]
}

function writeStep(
  { playUrl, imageUrl }: WrittenTraining,
  step: SharedStep,
  { number, level }: { number: number; level: string },
): string[] {
  const image = imageUrl(step)
  return [
    ...step.callouts.map(({ kind, text }) => `> **${capitalize(kind)}:** ${escapeLine(text)}`),
    `${level} ${number}. ${escapeLine(step.title)}`,
    ...(image === null ? [] : [`![Step ${number}](${image})`]),
    ...step.description.split(/\n+/).map(escapeLine).filter(Boolean),
    `[Play from ${showClock(step.timestamp * 1_000)}](${playUrl(step.timestamp)})`,
  ]
}

/** Begins a word with a capital letter. */
export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** One line of text in which nothing is markup (CommonMark §2.4). */
function escapeLine(text: string): string {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .join(' ')
    .replace(/[\\`*_[\]<>~&]/g, String.raw`\$&`)
    .replace(/^[-+=#]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
}
