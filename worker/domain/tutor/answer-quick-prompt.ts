import { findStepAt } from './answer-extractively.ts'
import { cleanAnswer } from './clean-answer.ts'
import type { TutorStep } from './open-index.ts'
import type { Asked } from './rank-passages.ts'
import { formatAnswerTime, type TutorAnswer } from './tutor-answer.ts'

/** Steps that are listed before "and … more". */
const MAX_LISTED = 12
const NO_STEPS = 'This video has no steps yet.'

/**
 * Answers the two quick prompts of the chat from the steps alone.
 * @see specification §9
 * @returns null for every other question
 */
export function answerQuickPrompt(steps: readonly TutorStep[], asked: Asked): TutorAnswer | null {
  const prompt = asked.question
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (prompt !== 'walk me through it' && prompt !== 'whats the next step') return null
  const inOrder = [...steps].sort((left, right) => left.start - right.start)
  if (inOrder.length === 0) return { text: NO_STEPS, isCovered: false, sentences: [], step: null }
  const current = findStepAt(inOrder, asked)
  return prompt === 'walk me through it' ? walkThrough(inOrder, current) : formatNext(inOrder, current)
}

function walkThrough(steps: readonly TutorStep[], current: TutorStep | null): TutorAnswer {
  const lines = steps.slice(0, MAX_LISTED).map((step, at) => {
    const here = step === current ? ' ← you are here' : ''
    return `${at + 1}. ${cleanAnswer(step.title)} (${formatAnswerTime(step.start)})${here}`
  })
  if (steps.length > MAX_LISTED) lines.push(`… and ${steps.length - MAX_LISTED} more.`)
  const about = current === null ? '' : `\n\n${describe('You are at', current)}`
  return answer(lines.join('\n') + about, current ?? (steps[0] as TutorStep))
}

function formatNext(steps: readonly TutorStep[], current: TutorStep | null): TutorAnswer {
  const next = current === null ? steps[0] : steps[steps.indexOf(current) + 1]
  if (next === undefined)
    return answer(describe('You are at the last step:', current as TutorStep), current as TutorStep)
  return answer(describe('The next step is', next), next)
}

function describe(opening: string, step: TutorStep): string {
  return `${opening} “${cleanAnswer(step.title)}” (${formatAnswerTime(step.start)}). ${cleanAnswer(step.description)}`.trim()
}

function answer(text: string, { id, title, start }: TutorStep): TutorAnswer {
  return { text, isCovered: true, sentences: [], step: { id, title, start } }
}
