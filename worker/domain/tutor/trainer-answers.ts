import { regionalTagOf } from '#contract/languages.ts'
import * as m from '#messages/pages'
import type { AnswerRow } from '#worker/domain/answer/answer-store.ts'
import { presentAnswer } from '#worker/domain/answer/present-answer.ts'
import type { TutorIndex } from './open-index.ts'
import type { AnswerPlan } from './plan-answer.ts'
import { languageOfQuestion } from './question-language.ts'
import { asksSame, isShort, isWordingOf, readAskedWords } from './same-question.ts'

/**
 * Finds the trainer's answer to a question that asks the same as one that was answered; null where there is none. A
 * wrong one may be dangerous, so that grouping for a list, which brings like questions together, decides nothing here.
 * @param stepId where it is asked; null for no step
 */
export function findAnswer(
  answers: readonly AnswerRow[],
  { question, stepId }: { question: string; stepId: string | null },
): AnswerRow | null {
  const asked = readAskedWords(question)
  return (
    answers.find((row) => {
      const first = readAskedWords(row.question)
      const same = [row.question, ...row.wordings].map(readAskedWords).filter((wording) => asksSame(asked, wording))
      // Its card may have had another question among the wordings.
      const meant = same.filter((wording) => isWordingOf(first, wording))
      return meant.length > 0 && (row.stepId === stepId || ![asked, ...meant].some(isShort))
    }) ?? null
  )
}

/** Plans an answer that is the trainer's alone: nothing of the video stands beside it, and no model is asked. */
export async function planTrainerAnswer(index: TutorIndex, row: AnswerRow, question: string): Promise<AnswerPlan> {
  const { step, text, answeredAt, isEarlier } = await presentAnswer(row, index.steps)
  const tag = languageOfQuestion(question)
  const date = new Intl.DateTimeFormat(regionalTagOf(tag), { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const source = { date: date.format(new Date(answeredAt)) }
  const says = isEarlier ? m.page_answered_by_trainer_earlier(source, tag) : m.page_answered_by_trainer(source, tag)
  const whole = {
    text: `${says}\n\n${text}`,
    isCovered: true,
    sentences: [],
    step,
    trainer: { answeredAt, isEarlier },
  }
  return { question, whole, by: 'trainer', shown: null }
}
