import type { TrainerAnswer } from '#contract/feedback/questions.ts'
import { findLanguage, type InterfaceLanguage, regionalTagOf } from '#contract/languages.ts'
import type { TranslatedAnswer } from '#contract/version.ts'
import * as m from '#messages/pages'
import type { Db } from '#worker/db/db.ts'
import type { AnswerRow } from '#worker/domain/answer/answer-store.ts'
import { presentAnswer } from '#worker/domain/answer/present-answer.ts'
import { describeTranslator } from '#worker/domain/share/write-page.ts'
import { listTranslatedAnswers, putAnswers, type ReadAnswer } from '#worker/domain/translation/apply-translation.ts'
import type { TutorIndex } from './open-index.ts'
import type { AnswerPlan } from './plan-answer.ts'
import { languageOfQuestion } from './question-language.ts'
import { asksSame, isShort, isWordingOf, readAskedWords } from './same-question.ts'

/**
 * Finds the trainer's answer to a question that asks the same as one that was answered; null where there is none. A
 * wrong one may be dangerous, so that grouping for a list, which brings like questions together, decides nothing here.
 * @param translated what of them can be read in the language of the question: it is asked in that as well
 * @param stepId where it is asked; null for no step, left out for several trainings, in each of which a short question
 * means another thing
 */
export function findAnswer(
  answers: readonly AnswerRow[],
  { question, stepId }: { question: string; stepId?: string | null },
  translated: readonly TranslatedAnswer[] = [],
): ReadAnswer<AnswerRow> | null {
  const asked = readAskedWords(question)
  const read = putAnswers(answers, translated)
  const at = answers.findIndex((row, index) => {
    const first = readAskedWords(row.question)
    const same = [row.question, ...row.wordings].map(readAskedWords).filter((wording) => asksSame(asked, wording))
    // Its card may have had another question among the wordings.
    const meant = same.filter((wording) => isWordingOf(first, wording))
    const isMeant = meant.length > 0 || isAskedIn(read[index])
    return isMeant && (row.stepId === stepId || ![asked, ...meant].some(isShort))
  })
  return read[at] ?? null

  /** What an engine that translates by rules makes of a question may ask something else. */
  function isAskedIn(answer: ReadAnswer<AnswerRow> | undefined): boolean {
    const isUsable = answer?.translation?.isRough === false
    return isUsable && asksSame(asked, readAskedWords(answer.question))
  }
}

/**
 * Lists the answers of a module in the language of a question, as far as they are translated into it.
 * @param language of the module, BCP 47; null where it is not known
 */
export async function listInLanguageOf(
  db: Db,
  {
    turn: { moduleId, question },
    answers,
    language,
  }: { turn: { moduleId: string; question: string }; answers: readonly AnswerRow[]; language: string | null },
): Promise<TranslatedAnswer[]> {
  const tag = languageOfQuestion(question)
  return tag === findLanguage(language) ? [] : listTranslatedAnswers(db, { moduleId, answers }, tag)
}

/**
 * Says who has answered and when, and whether that was for an earlier version.
 * @param timeZone of the reader; UTC where it is not known
 */
export function sayAnswered(
  { answeredAt, isEarlier }: Pick<TrainerAnswer, 'answeredAt' | 'isEarlier'>,
  tag: InterfaceLanguage,
  timeZone = 'UTC',
): string {
  const format = new Intl.DateTimeFormat(regionalTagOf(tag), { day: 'numeric', month: 'long', timeZone })
  const source = { date: format.format(new Date(answeredAt)) }
  return isEarlier ? m.page_answered_by_trainer_earlier(source, tag) : m.page_answered_by_trainer(source, tag)
}

/** Plans an answer that is the trainer's alone: nothing of the video stands beside it, and no model is asked. */
export async function planTrainerAnswer(
  index: TutorIndex,
  row: ReadAnswer<AnswerRow>,
  question: string,
): Promise<AnswerPlan> {
  const { step, start, text, answeredAt, isEarlier, translation } = await presentAnswer(row, index.steps)
  const tag = languageOfQuestion(question)
  const says = sayAnswered({ answeredAt, isEarlier }, tag)
  const whole = {
    text: [says, text, translation && describeTranslator(translation, tag)].filter(Boolean).join('\n\n'),
    isCovered: true,
    sentences: [],
    step: step && { ...step, start: start ?? step.start },
    trainer: { answeredAt, isEarlier, ...(start !== null && { start }) },
  }
  return { question, whole, by: 'trainer', shown: null }
}
