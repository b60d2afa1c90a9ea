import { findHeading } from '#contract/chapters.ts'
import type { TrainerAnswer } from '#contract/feedback/questions.ts'
import type { InterfaceLanguage } from '#contract/languages.ts'
import type { Callout, SharedStep } from '#contract/step.ts'
import * as m from '#messages/pages'
import { showClock } from '#worker/domain/prompt-data.ts'
import { describeTranslator } from './write-page.ts'

/** An answer with the language of its text where that is not the language of the steps around it. */
export type WrittenAnswer = TrainerAnswer & Pick<SharedStep, 'language'>

/** A training as it is written down, with the addresses that go with it. */
export interface WrittenTraining {
  title: string
  /** Language of the headings and labels, not of the training's own texts. */
  tag: InterfaceLanguage
  /** In the order of the list. */
  steps: readonly SharedStep[]
  /** Address of the video, at a second of it. */
  playUrl: (atS: number) => string
  /** Address of the image of a step; null where there is none. */
  imageUrl: (step: SharedStep) => string | null
  /** What the trainer has answered, as far as it is to stand here. */
  answers: readonly WrittenAnswer[]
}

/** Writes the steps of a training as CommonMark. */
export function writeMarkdown(training: WrittenTraining): string {
  const { title, steps, playUrl, tag } = training
  const hasChapters = steps.some(({ chapter }) => chapter !== null)
  const blocks = steps.flatMap((step, index) => [
    ...writeHeading(findHeading(steps, index)),
    ...writeStep(training, step, { number: index + 1, level: hasChapters ? '###' : '##' }),
  ])
  const head = [`# ${escapeLine(title)}`, `[${m.page_watch_video(tag)}](${playUrl(0)})`]
  return `${[...head, ...blocks, ...writeAnswers(training)].join('\n\n')}\n`
}

function writeAnswers({ answers, tag, playUrl }: WrittenTraining): string[] {
  if (answers.length === 0) return []
  const blocks = answers.flatMap((answer) => [
    `**${escapeLine(answer.question)}**`,
    ...answer.text.split(/\n+/).map(escapeLine).filter(Boolean),
    `_${escapeLine(describeAnswer(answer, tag))}_`,
    ...(answer.start === null ? [] : [linkPlay(playUrl, answer.start, tag)]),
  ])
  return [`## ${m.page_questions_and_answers(tag)}`, ...blocks]
}

/** Says who answered, when, whether it was about an earlier version, and by whom it is translated. */
export function describeAnswer({ answeredAt, isEarlier, translation }: TrainerAnswer, tag: InterfaceLanguage): string {
  const dateFormat = new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, { dateStyle: 'long', timeZone: 'UTC' })
  const source = { date: dateFormat.format(new Date(answeredAt)) }
  const says = isEarlier ? m.page_answered_by_trainer_earlier(source, tag) : m.page_answered_by_trainer(source, tag)
  const parts = [says.replace(/[:：]$/, '').trimEnd(), translation && describeTranslator(translation, tag)]
  return parts.filter(Boolean).join(' · ')
}

function writeHeading(title: string | null | undefined): string[] {
  if (title === undefined) return []
  return [title === null ? '---' : `## ${escapeLine(title)}`]
}

function writeStep(
  { playUrl, imageUrl, tag }: WrittenTraining,
  step: SharedStep,
  { number, level }: { number: number; level: string },
): string[] {
  const image = imageUrl(step)
  const linkTo = (atS: number) => linkPlay(playUrl, atS, tag)
  return [
    ...step.callouts.map(({ kind, text }) => `> **${labelCallout(kind, tag)}** ${escapeLine(text)}`),
    `${level} ${number}. ${escapeLine(step.title)}`,
    ...(image === null ? [] : [`![${escapeLine(step.imageText) || m.page_step_number({ number }, tag)}](${image})`]),
    ...step.description.split(/\n+/).map(escapeLine).filter(Boolean),
    ...step.commands.flatMap(({ text, startMs }) => [fence(text), linkTo(startMs / 1_000)]),
    linkTo(step.timestamp),
  ]
}

function linkPlay(playUrl: WrittenTraining['playUrl'], atS: number, tag: InterfaceLanguage): string {
  return `[${m.page_play_from({ time: showClock(atS * 1_000) }, tag)}](${playUrl(atS)})`
}

/** A block in which nothing is markup: its fence is longer than any in the text (CommonMark §4.5). */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}\n${text}\n${ticks}`
}

const CALLOUT_LABELS = { warning: m.page_warning, tool: m.page_tool, part: m.page_part, tip: m.page_tip }

/** The label of a callout, such as "Warning:". */
export function labelCallout(kind: Callout['kind'], tag: InterfaceLanguage): string {
  return CALLOUT_LABELS[kind](tag)
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
