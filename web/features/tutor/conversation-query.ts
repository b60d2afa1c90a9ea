import { queryOptions } from '@tanstack/react-query'
import { listTurns } from './turn.ts'
import type { TutorCalls } from './tutor-calls.ts'

/** What this person and the tutor of a module said before. */
export function conversationQuery(calls: TutorCalls, moduleId: string) {
  return queryOptions({
    queryKey: ['conversation', moduleId],
    queryFn: async ({ signal }) => listTurns(await calls.readConversation(signal)),
  })
}
