import { nanoid } from 'nanoid'
import type { AnswerPatch, NewAnswer, OwnAnswer } from '#contract/feedback/questions.ts'
import { TRAINER_ANSWERS_MAX } from '#contract/limits.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { insertAnswer, listAnswers, removeAnswer, updateAnswer } from '#worker/domain/answer/answer-store.ts'
import { hashSteps, placeAnswer, presentAnswer } from '#worker/domain/answer/present-answer.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { listWordings } from '#worker/domain/tutor/turn-store.ts'
import { ring } from '#worker/tasks/ring.ts'
import { type TellContext, tellAskers } from './tell-askers.ts'

type AnswerContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>

/** Other words of one question that are kept with its answer; more are alike. */
const WORDINGS_MAX = 20

/**
 * Answers questions about a module, which settles them, and has people told who asked them and have an address.
 * @throws {AppError} invalid_request when there are too many answers
 */
export async function giveAnswer(
  context: AnswerContext & TellContext & Pick<Context, 'queues'>,
  module: ModuleRow,
  answer: NewAnswer,
): Promise<void> {
  const { ids, question, text, inPrint } = answer
  const { steps } = await loadIndex(context, indexOf(module, 'viewer'))
  const place = placeAnswer(steps, answer)
  const wordings = await listWordings(context.db, { moduleId: module.id, ids, limit: WORDINGS_MAX })
  const row = {
    id: nanoid(),
    moduleId: module.id,
    question,
    wordings,
    text,
    ...place,
    inPrint,
    answeredAt: context.nowMs(),
  }
  const tell = await tellAskers(context, module, { answerId: row.id, ids })
  const stepsHash = await hashSteps(steps, place)
  if (!(await insertAnswer(context.d1, { ...row, stepsHash }, { questionIds: ids, tell })))
    throw new AppError(
      'invalid_request',
      `There are ${TRAINER_ANSWERS_MAX} answers already. Delete one to give another.`,
    )
  if (tell.length > 0) await ring(context, 'notify')
}

/** Lists the answers about a module for its owners: those for an earlier version first, then the newest. */
export async function readAnswers(context: AnswerContext, module: ModuleRow): Promise<OwnAnswer[]> {
  const rows = await listAnswers(context.db, module.id)
  if (rows.length === 0) return []
  const { steps } = await loadIndex(context, indexOf(module, 'viewer'))
  const answers = await Promise.all(
    rows.map(async (row) => {
      const moment = row.momentMs === null ? null : row.momentMs / 1_000
      return { ...(await presentAnswer(row, steps)), inPrint: row.inPrint, moment }
    }),
  )
  return answers.toSorted((left, right) => Number(right.isEarlier) - Number(left.isEarlier))
}

function answerNotFound(): AppError {
  return new AppError('not_found', 'This answer could not be found.')
}

/**
 * Changes an answer, and confirms it for the steps as learners read them now.
 * @returns whether it stands in print, or stood there
 * @throws {AppError} not_found
 */
export async function changeAnswer(
  context: AnswerContext,
  module: ModuleRow,
  { id, patch: { stepId, moment, ...patch } }: { id: string; patch: AnswerPatch },
): Promise<boolean> {
  const row = (await listAnswers(context.db, module.id)).find((each) => each.id === id)
  if (row === undefined) throw answerNotFound()
  const { steps } = await loadIndex(context, indexOf(module, 'viewer'))
  const isMoved = stepId !== undefined || moment !== undefined
  const place = isMoved ? placeAnswer(steps, { stepId, moment }) : { stepId: row.stepId, momentMs: row.momentMs }
  const stepsHash = await hashSteps(steps, place)
  if (!(await updateAnswer(context.db, row, { ...patch, ...place, stepsHash }))) throw answerNotFound()
  return row.inPrint || patch.inPrint === true
}

/** Removes an answer; its questions wait for the trainer again. @returns whether it stood in print @throws {AppError} not_found */
export async function withdrawAnswer({ d1 }: AnswerContext, moduleId: string, id: string): Promise<boolean> {
  const wasInPrint = await removeAnswer(d1, { id, moduleId })
  if (wasInPrint === null) throw answerNotFound()
  return wasInPrint
}
