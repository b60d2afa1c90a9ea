import type { LanguageTag } from '#contract/languages.ts'
import type { ServedContext } from '#worker/core/context.ts'
import type { SharedMember } from '#worker/domain/collection/collection.ts'
import type { CollectionRow } from '#worker/domain/collection/collection-store.ts'
import { payForAnswer } from '#worker/domain/quota/spend-ai.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { type JoinedTrainings, joinTrainings } from '#worker/domain/tutor/join-trainings.ts'
import type { PublishedAnswer } from '#worker/domain/tutor/plan-answer.ts'
import { answerPrompt } from '#worker/domain/tutor/prompts/answer-question.v4.ts'
import { takeLinkAnswer } from '#worker/domain/tutor/turn-store.ts'
import { logLine } from '#worker/log/log.ts'
import { ANSWER_MAX_TOKENS, type TutorModel } from '#worker/ports/language-model.ts'
import { type FoundAnswer, findAnswers } from './find-answers.ts'
import { type ModelTask, publishJoined } from './publish-joined.ts'
import { HEARD_MAX, type OpenedMember, openPicked } from './search-collection.ts'

/** A sentence of an answer, with the moment that begins what it rests on; null for none. */
interface AnsweredSentence {
  text: string
  moment: { member: SharedMember; start: number } | null
}

/** What a model says about the trainings of a collection. */
interface ModelAnswer {
  /** False: none of the trainings covers the question. */
  isCovered: boolean
  sentences: AnsweredSentence[]
  hasGap: boolean
  memberCount: number
}

/** What is said about the trainings of a collection: by a model, or by their trainers. */
export type CollectionAnswer = ModelAnswer | { answers: FoundAnswer[] }

/**
 * Says what trainers have answered to a question. Where they have not, a model answers from the trainings whose owner
 * lets people with the link ask it; the first of them pays, within its day. Each sentence is checked as for one
 * training, and rests on one.
 * @returns null where no model is there or may be asked, or it failed: what was found stands alone then
 */
export async function answerCollection(
  context: ServedContext,
  { title }: Pick<CollectionRow, 'title'>,
  { shared, question, tag }: { shared: readonly SharedMember[]; question: string; tag: LanguageTag },
): Promise<CollectionAnswer | null> {
  const answers = await findAnswers(context, shared, question)
  if (answers.length > 0) return { answers }
  const { tutorModel } = context.services
  if (tutorModel === null) return null
  const answering = shared.filter(({ hasTutor }) => hasTutor)
  const { opened, memberCount } = await openPicked(context, answering, { question, tag, max: HEARD_MAX })
  const [payer] = opened
  if (payer === undefined) return null
  const joined = joinTrainings(title, opened.map(toRead), question)
  if (joined.shown.length === 0) return null
  const moduleId = payer.view.module.id
  const messages = answerPrompt(joined.video, joined.shown, { question, earlier: [] })
  const model = await takeModel(context, payer, { messages, moduleId, model: tutorModel })
  if (model === null) return null
  const published = await publishJoined(joined, { question, model, task: { moduleId, messages }, nowMs: context.nowMs })
  const { answer, by, end } = published
  logLine('info', 'tutor_answer', { moduleId, model: by, end, isCovered: answer.isCovered })
  return by === model.name ? present(published, joined, { opened, memberCount }) : null
}

function toRead({ member, index, indexes }: OpenedMember) {
  return { title: member.title, spoken: index, searched: indexes.at(-1) ?? index }
}

/** A model that is paid for this answer; null where the day has no more. */
async function takeModel(
  context: ServedContext,
  { view }: OpenedMember,
  { model, ...task }: ModelTask & { model: TutorModel },
): Promise<TutorModel | null> {
  const atMost = Math.min(view.module.linkAnswersPerDay ?? 0, context.modelAnswersPerDay)
  const day = dayOf(context.nowMs())
  if (!(await takeLinkAnswer(context.d1, { moduleId: task.moduleId, day, atMost }))) return null
  return payForAnswer(context, { ...task, maxTokens: ANSWER_MAX_TOKENS }, model)
}

function present(
  { answer: { isCovered, sentences, hasGap = false } }: PublishedAnswer,
  { find }: JoinedTrainings,
  { opened, memberCount }: { opened: readonly OpenedMember[]; memberCount: number },
): ModelAnswer {
  const presented = sentences.map(({ text, segmentIds }) => {
    const [first] = segmentIds
    const place = first === undefined ? null : find(first)
    const member = place && opened[place.part]?.member
    return { text, moment: member ? { member, start: place.startMs / 1_000 } : null }
  })
  return { isCovered, sentences: presented, hasGap, memberCount }
}
