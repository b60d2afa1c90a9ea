import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import type { QuestionGroup } from '#contract/questions.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { questionsPath, questionsQuery, withoutGroup } from './questions-query.ts'

type Act = 'settle' | 'reopen'

/** Removes a group of questions from the list at once, and restores it if the server refuses. */
export function useSettle(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = questionsQuery(callApi, moduleId)
  const send = (act: Act, { ids }: QuestionGroup) =>
    callApi({ path: `${questionsPath(moduleId)}/${act}`, method: 'POST', body: { ids }, schema: Done })
  const onSettled = () => queryClient.invalidateQueries({ queryKey })

  const { mutate: reopen } = useMutation({
    mutationFn: (group: QuestionGroup) => send('reopen', group),
    onSettled,
    onError: (error) => toast.error('The question could not be brought back', { description: error.message }),
  })
  const { mutate: settle } = useMutation({
    mutationFn: ({ group }: { group: QuestionGroup; done: string }) => send('settle', group),
    onMutate: async ({ group }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (answer) => answer && withoutGroup(answer, group.id))
      return { before }
    },
    onSuccess: (_, { group, done }) => {
      toast.success(done, { action: { label: 'Undo', onClick: () => reopen(group) } })
    },
    onError: (error, _, context) => {
      queryClient.setQueryData(queryKey, context?.before)
      toast.error('The question could not be settled', { description: error.message })
    },
    onSettled,
  })
  return settle
}
