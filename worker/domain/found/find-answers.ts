import type { TrainerAnswer } from '#contract/feedback/questions.ts'
import type { Context } from '#worker/core/context.ts'
import { type AnswerRow, listAnswersForLinks } from '#worker/domain/answer/answer-store.ts'
import { presentAnswer } from '#worker/domain/answer/present-answer.ts'
import type { SharedMember } from '#worker/domain/collection/collection.ts'
import { listModulesById, type ModuleRow } from '#worker/domain/module/module-store.ts'
import type { ReadAnswer } from '#worker/domain/translation/apply-translation.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { isShort, readAskedWords } from '#worker/domain/tutor/same-question.ts'
import { findAnswer, listInLanguageOf } from '#worker/domain/tutor/trainer-answers.ts'

/** What the trainer of one training of a collection has answered. */
export interface FoundAnswer {
  member: SharedMember
  answer: TrainerAnswer
}

interface Found {
  module: ModuleRow
  member: SharedMember
  row: ReadAnswer<AnswerRow>
}

/** Where more trainings answer the same, the newest answers are enough. */
const ANSWERS_FOUND_MAX = 3

/**
 * Finds what trainers have answered to a question about a shared collection, one answer of each training: what it means
 * there may be something else in another. Only of trainings that people with the link may ask.
 */
export async function findAnswers(
  context: Pick<Context, 'db' | 'bucket' | 'nowMs'>,
  shared: readonly SharedMember[],
  question: string,
): Promise<FoundAnswer[]> {
  // Most of what is typed; nothing is read for it.
  if (isShort(readAskedWords(question))) return []
  // Those with a password have no id here, and nothing of them is read.
  const members = new Map(shared.filter(({ isLocked }) => !isLocked).map((member) => [member.id, member]))
  const answers = Map.groupBy(await listAnswersForLinks(context.db, [...members.keys()]), ({ moduleId }) => moduleId)
  if (answers.size === 0) return []
  const modules = await listModulesById(context.db, [...answers.keys()])
  const found = (await Promise.all(modules.map(find))).flat()
  const newest = found.toSorted((left, right) => right.row.answeredAt - left.row.answeredAt).slice(0, ANSWERS_FOUND_MAX)
  return Promise.all(newest.map(present))

  async function find(module: ModuleRow): Promise<Found[]> {
    const { id: moduleId, language } = module
    const [member, given] = [members.get(moduleId), answers.get(moduleId) ?? []]
    const translated = await listInLanguageOf(context.db, { turn: { moduleId, question }, answers: given, language })
    const row = findAnswer(given, { question }, translated)
    return row === null || member === undefined ? [] : [{ module, member, row }]
  }

  /** Reads a whole training, which is why only those that are shown come here. */
  async function present({ module, member, row }: Found): Promise<FoundAnswer> {
    const { steps } = await loadIndex(context, indexOf(module, 'viewer'))
    return { member, answer: await presentAnswer(row, steps) }
  }
}
