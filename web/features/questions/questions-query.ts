import { queryOptions } from '@tanstack/react-query'
import { QuestionsAnswer } from '#contract/questions.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

export function questionsPath(moduleId: string): string {
  return `/api/questions/${encodeURIComponent(moduleId)}`
}

/** Open questions of learners about a module. Owners only. */
export function questionsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['questions', moduleId],
    queryFn: ({ signal }) => callApi({ path: questionsPath(moduleId), schema: QuestionsAnswer, signal }),
  })
}

/** The same without one group. */
export function withoutGroup(answer: QuestionsAnswer, groupId: string): QuestionsAnswer {
  const gone = answer.places.flatMap(({ groups }) => groups).find(({ id }) => id === groupId)
  if (gone === undefined) return answer
  const places = answer.places.map((place) => ({ ...place, groups: place.groups.filter(({ id }) => id !== groupId) }))
  return {
    ...answer,
    places: places.filter(({ groups }) => groups.length > 0),
    open: answer.open - gone.count,
    grouped: answer.grouped - gone.count,
  }
}
