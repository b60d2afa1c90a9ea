import type { QuestionGroup, QuestionPlace, QuestionsAnswer } from '#contract/feedback/questions.ts'
import { QUESTION_GROUPS_MAX } from '#contract/limits.ts'
import type { Context } from '#worker/core/context.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { StepRow } from '#worker/domain/step/tidy-section.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { type AlikeQuestions, type AskedQuestion, groupQuestions } from '#worker/domain/tutor/group-questions.ts'
import { type OpenQuestion, readOpenQuestions } from '#worker/domain/tutor/turn-store.ts'
import { readAnswers } from './answer-questions.ts'

/** A longer question is cut here in the list. */
const TEXT_MAX_CHARS = 500
/** Shown in addition to the typical wording. */
const OTHER_WORDINGS_MAX = 4
const OTHER_WORDING_MAX_CHARS = 200
const MOMENTS_MAX = 5

/** Prefix of the place of questions whose step was removed; no step id begins like this. */
const REMOVED = '?removed:'

interface PlacedQuestion extends AskedQuestion, Pick<OpenQuestion, 'userId' | 'isCovered' | 'askedAt'> {}

/**
 * What learners asked about a module, and what the tutor could not answer, by steps as they are now. What owners asked is
 * not among it: it is settled from the start. Nor is what its uploader or the reader asked before they owned it.
 */
export async function readQuestions(context: Context, module: ModuleRow, readerId: string): Promise<QuestionsAnswer> {
  const { db } = context
  const { id: moduleId, userId } = module
  const [steps, { newest, open }, answers] = await Promise.all([
    listSteps(db, moduleId),
    readOpenQuestions(db, moduleId, [userId, readerId]),
    readAnswers(context, module),
  ])
  const groups = groupQuestions(newest.map((question) => placeQuestion(question, steps)))
  const ranked = groups.map((group) => ({ place: group.place, group: presentGroup(group) })).sort(byNeed)
  const visibleGroups = ranked.slice(0, QUESTION_GROUPS_MAX)
  const hiddenGroups = ranked.length - visibleGroups.length
  const places = listPlaces(visibleGroups, steps)
  return { success: true, places, open, grouped: newest.length, hiddenGroups, answers }
}

/** A removed step is found by its time, because rewritten steps have new ids. */
function placeQuestion(openQuestion: OpenQuestion, steps: readonly StepRow[]): PlacedQuestion {
  const { id, userId, stepId, videoTimeMs, question: text, createdAt: askedAtMs, isCovered, askedAt } = openQuestion
  const isThere = steps.some((step) => step.id === stepId)
  const stepAtTime = steps.find(
    ({ startMs, endMs }) => videoTimeMs !== null && videoTimeMs >= startMs && videoTimeMs < endMs,
  )
  const removed = stepId === null ? null : REMOVED + stepId
  const place = isThere ? stepId : (stepAtTime?.id ?? removed)
  const timeS = videoTimeMs === null ? null : videoTimeMs / 1_000
  return { id, userId, text, place, timeS, askedAtMs, isCovered, askedAt }
}

function presentGroup({ questions, text, otherTexts }: AlikeQuestions<PlacedQuestion>): QuestionGroup {
  const count = (isMeant: (question: PlacedQuestion) => boolean) => questions.filter(isMeant).length
  const moments = new Set(questions.flatMap(({ timeS }) => (timeS === null ? [] : Math.floor(timeS))))
  const [asker, ...otherAskers] = new Set(questions.map(({ userId }) => userId))
  const others = otherTexts.map((other) => excerpt(other, OTHER_WORDING_MAX_CHARS))
  return {
    id: questions[0]?.id ?? '',
    text: excerpt(text, TEXT_MAX_CHARS),
    wordings: [...new Set(others)].slice(0, OTHER_WORDINGS_MAX),
    ids: questions.map(({ id }) => id),
    count: questions.length,
    people: 1 + otherAskers.length,
    moments: [...moments].sort((left, right) => left - right).slice(0, MOMENTS_MAX),
    answered: count(({ isCovered }) => isCovered === true),
    notCovered: count(({ isCovered }) => isCovered === false),
    askedTrainer: new Set(questions.flatMap(({ userId, askedAt }) => (askedAt === null ? [] : userId))).size,
    isOfOneDevice: otherAskers.length === 0 && asker?.startsWith('anyone:') === true,
    lastAskedAt: toIso(questions.at(-1)?.askedAtMs ?? 0),
  }
}

function excerpt(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  // Half a character at the end would be none.
  const start = line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')
  return line.length <= maxChars ? line : `${start.trimEnd()}…`
}

interface PlacedGroup {
  place: string | null
  group: QuestionGroup
}

function byNeed({ group: left }: PlacedGroup, { group: right }: PlacedGroup): number {
  return (
    right.askedTrainer - left.askedTrainer ||
    right.notCovered - left.notCovered ||
    right.count - left.count ||
    Date.parse(right.lastAskedAt) - Date.parse(left.lastAskedAt) ||
    Number(left.id > right.id) - Number(left.id < right.id)
  )
}

function listPlaces(groups: readonly PlacedGroup[], steps: readonly StepRow[]): QuestionPlace[] {
  const groupsWhere = (isMeant: (place: string | null) => boolean) =>
    groups.filter(({ place }) => isMeant(place)).map(({ group }) => group)
  const places: QuestionPlace[] = steps.map((step, index) => {
    const { id, title, startMs, endMs } = step
    const named = { id, title, number: index + 1, start: startMs / 1_000, end: endMs / 1_000 }
    return { kind: 'step', step: named, groups: groupsWhere((place) => place === id) }
  })
  places.push({ kind: 'video', step: null, groups: groupsWhere((place) => place === null) })
  places.push({ kind: 'removed', step: null, groups: groupsWhere((place) => place?.startsWith(REMOVED) === true) })
  return places.filter((place) => place.groups.length > 0)
}
