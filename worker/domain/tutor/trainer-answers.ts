import { regionalTagOf } from '#contract/languages.ts'
import * as m from '#messages/pages'
import type { AnswerRow } from '#worker/domain/answer/answer-store.ts'
import { presentAnswer } from '#worker/domain/answer/present-answer.ts'
import { groupQuestions } from './group-questions.ts'
import type { TutorIndex } from './open-index.ts'
import type { AnswerPlan } from './plan-answer.ts'
import { languageOfQuestion } from './question-language.ts'

/** Finds the trainer's answer to a question that means the same as one that was answered; null where there is none. */
export function findAnswer(answers: readonly AnswerRow[], question: string): AnswerRow | null {
  const asked = { id: '', text: question, place: null, timeS: null, askedAtMs: 0 }
  const answered = answers.flatMap(({ id, question: first, wordings }) => {
    return [first, ...wordings].map((text) => ({ ...asked, id, text }))
  })
  if (answered.length === 0) return null
  const group = groupQuestions([asked, ...answered]).find(({ questions }) => questions.includes(asked))
  const ids = new Set(group?.questions.map(({ id }) => id))
  return answers.find(({ id }) => ids.has(id)) ?? null
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
