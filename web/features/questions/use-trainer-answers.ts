import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { AnswerPatch, NewAnswer, OwnAnswer, QuestionGroup } from '#contract/feedback/questions.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'

/** What a trainer does about questions that were asked of the trainer. Each change reads the list again. */
export function useTrainerAnswers(path: string, queryKey: readonly unknown[]) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  /** @returns whether the server took it */
  async function change(call: { path: string; method: 'POST' | 'PATCH' | 'DELETE'; body?: object }, done?: string) {
    try {
      await callApi({ ...call, schema: Done })
      if (done !== undefined) toast.success(done)
      await queryClient.invalidateQueries({ queryKey })
      return true
    } catch (error) {
      toast.error(m.answer_not_saved(), { description: error instanceof Error ? error.message : undefined })
      return false
    }
  }
  const ofAnswer = ({ id }: OwnAnswer) => `${path}/answers/${encodeURIComponent(id)}`
  return {
    onAnswer: (body: NewAnswer) => change({ path: `${path}/answers`, method: 'POST', body }, m.the_answer_is_given()),
    onIgnore: ({ ids }: QuestionGroup) =>
      void change({ path: `${path}/ignore`, method: 'POST', body: { ids } }, m.the_device_is_ignored()),
    /** @param patch empty confirms it as it is */
    onChange: (answer: OwnAnswer, patch: AnswerPatch) =>
      change({ path: ofAnswer(answer), method: 'PATCH', body: patch }),
    onDelete: (answer: OwnAnswer) => void change({ path: ofAnswer(answer), method: 'DELETE' }),
  }
}
