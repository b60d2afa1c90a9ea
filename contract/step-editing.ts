import { z } from 'zod'
import * as m from '#messages'
import {
  REWRITE_INSTRUCTION_MAX_CHARS,
  REWRITE_MAX_CHARS,
  REWRITE_MIN_CHARS,
  STEP_HARD_LIMITS,
  STEP_RULES,
} from './limits.ts'
import { Success } from './problem.ts'

/** What the rules of the step editor look at. Seconds; null for a time that cannot be read. */
export interface StepFields {
  title: string
  description: string
  start: number | null
  end: number | null
  aliases: readonly string[]
}

/** What is wrong with a step, one sentence per field; empty when it can be saved. */
export type StepProblems = Partial<Record<keyof StepFields, string>>

/** What a time that cannot be read is answered with. @see specification §5 */
export const TIME_FORMAT_PROBLEM = m.invalid_time_format()
const END_PROBLEM = m.end_after_start()

/** Forms show whole seconds, so an end may be up to one beyond the video. */
export const VIDEO_END_SLACK_S = 1

/** What a form asks for at least. What a step may have at most is the same in all of them. @see specification §5 */
interface Least {
  titleChars: number
  descriptionChars: number
  /** 0: neither at least this long nor under five minutes. */
  durationS: number
}

/** Minimums for a step in both editors: beside the video and in the list. */
const EDITOR: Least = {
  titleChars: STEP_RULES.titleMinChars,
  descriptionChars: STEP_RULES.descriptionMinChars,
  durationS: STEP_RULES.minDurationS,
}
/** The form for a missing step: a title, an end that is not before the start, and nothing more. */
const ADDITION: Least = { titleChars: 1, descriptionChars: 0, durationS: 0 }

/**
 * Checks a step by the rules of the step editor, which every step that the pipeline writes obeys too.
 * @param durationS length of the video; null while it is unknown
 */
export function validateStep(step: StepFields, durationS: number | null = null): StepProblems {
  return validate(step, EDITOR, durationS)
}

/** Checks a step of the form for missing steps, which asks for less. */
export function validateAddedStep(step: StepFields, durationS: number | null = null): StepProblems {
  return validate(step, ADDITION, durationS)
}

function validate(step: StepFields, least: Least, durationS: number | null): StepProblems {
  const { titleMaxChars, descriptionMaxChars } = STEP_RULES
  const { title, description, start, end, aliases } = step
  return collect({
    title: findTextProblem(TITLE_PROBLEMS, title.trim(), { min: least.titleChars, max: titleMaxChars }),
    description: findTextProblem(DESCRIPTION_PROBLEMS, description.trim(), {
      min: least.descriptionChars,
      max: descriptionMaxChars,
    }),
    start: findStartProblem(start),
    end: findEndProblem(step, least.durationS) ?? findOverrun(end, durationS),
    aliases: findAliasProblem(aliases),
  })
}

/**
 * Finds what no further typing in the same field makes right, so that a form says it at once: a text that is too long,
 * and an end after the end of the video.
 */
export function findEarlyProblems(step: StepFields, durationS: number | null): StepProblems {
  const { titleMaxChars, descriptionMaxChars } = STEP_RULES
  return collect({
    title: findTooLong(TITLE_PROBLEMS, step.title.trim(), titleMaxChars),
    description: findTooLong(DESCRIPTION_PROBLEMS, step.description.trim(), descriptionMaxChars),
    end: findOverrun(step.end, durationS),
  })
}

const TITLE_PROBLEMS = { isLong: m.title_too_long, isShort: m.title_too_short, isEmpty: m.title_is_required }
const DESCRIPTION_PROBLEMS = {
  isLong: m.description_too_long,
  isShort: m.description_too_short,
  isEmpty: m.description_is_required,
}
type TextProblems = typeof TITLE_PROBLEMS

function findTooLong({ isLong }: Pick<TextProblems, 'isLong'>, text: string, maxChars: number): string | undefined {
  return text.length > maxChars ? isLong({ max: maxChars + 1 }) : undefined
}

function findTextProblem(
  problems: TextProblems,
  text: string,
  { min, max }: { min: number; max: number },
): string | undefined {
  if (text.length >= min) return findTooLong(problems, text, max)
  return text === '' ? problems.isEmpty() : problems.isShort({ min })
}

function findStartProblem(start: number | null): string | undefined {
  if (start === null) return TIME_FORMAT_PROBLEM
  return start < 0 ? m.start_not_negative() : undefined
}

function findEndProblem({ start, end }: StepFields, leastS: number): string | undefined {
  if (end === null) return TIME_FORMAT_PROBLEM
  if (start === null) return undefined
  if (leastS === 0) return end < start ? END_PROBLEM : undefined
  if (end <= start) return END_PROBLEM
  // Times are kept in milliseconds; a difference of decimals is not exact.
  const lengthS = Math.round((end - start) * 1000) / 1000
  if (lengthS < leastS) return m.step_too_short({ seconds: leastS })
  return lengthS >= STEP_RULES.maxDurationS ? m.step_too_long() : undefined
}

function findOverrun(end: number | null, durationS: number | null): string | undefined {
  const isOver = end !== null && durationS !== null && end > durationS + VIDEO_END_SLACK_S
  return isOver ? m.end_after_video() : undefined
}

function findAliasProblem(aliases: readonly string[]): string | undefined {
  const { maxAliases, aliasMaxChars } = STEP_HARD_LIMITS
  if (aliases.length > maxAliases) return m.too_many_aliases({ max: maxAliases })
  const isLong = aliases.some((alias) => alias.length > aliasMaxChars)
  return isLong ? m.alias_too_long({ max: aliasMaxChars }) : undefined
}

function collect(found: Record<string, string | undefined>): StepProblems {
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

/** Body of `POST /api/steps/{id}/rewrite`. Owners only. */
export const RewriteRequest = z.object({
  text: z
    .string()
    .trim()
    .min(REWRITE_MIN_CHARS, `must have at least ${REWRITE_MIN_CHARS} characters`)
    .max(REWRITE_MAX_CHARS),
  /** What to do with the text. Left out or empty: fillers are removed and grammar is corrected, nothing is added. */
  instruction: z.string().trim().max(REWRITE_INSTRUCTION_MAX_CHARS).optional(),
})
export type RewriteRequest = z.infer<typeof RewriteRequest>

/** Answer of `POST /api/steps/{id}/rewrite`. `text` says nothing that the request's text does not say. */
export const RewriteAnswer = Success.extend({ text: z.string() })
export type RewriteAnswer = z.infer<typeof RewriteAnswer>
