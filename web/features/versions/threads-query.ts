import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type NewComment, type ThreadState, ThreadsAnswer } from '#contract/review.ts'
import type { VersionName } from '#contract/version.ts'
import * as m from '#messages'
import { type CallApi, quotaSentence, useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { pathOf, versionsKey } from './versions-query.ts'

/** What owners say of the steps of a draft, or have said of those of a version before it was published. */
export function threadsQuery(callApi: CallApi, moduleId: string, version: VersionName) {
  return queryOptions({
    queryKey: [...versionsKey(moduleId), version, 'comments'],
    queryFn: async ({ signal }) =>
      (await callApi({ path: `${pathOf(moduleId)}/${version}/comments`, schema: ThreadsAnswer, signal })).threads,
    staleTime: version === 'draft' ? 0 : Number.POSITIVE_INFINITY,
  })
}

function useThreadsMutation<Body extends NewComment | ThreadState>(moduleId: string, method: 'POST' | 'PUT') {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) => callApi({ path: `${pathOf(moduleId)}/comments`, method, body, schema: ThreadsAnswer }),
    onSuccess: ({ threads }) => queryClient.setQueryData(threadsQuery(callApi, moduleId, 'draft').queryKey, threads),
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'version_conflict')) {
        toast.error(m.failed_to_send_it(), { description: quotaSentence(error) ?? error.message })
        return
      }
      toast.error(m.comments_have_come_meanwhile())
      void queryClient.invalidateQueries({ queryKey: threadsQuery(callApi, moduleId, 'draft').queryKey })
    },
  })
}

/** Says something of a step of the draft. */
export function useAddComment(moduleId: string) {
  return useThreadsMutation<NewComment>(moduleId, 'POST')
}

/** Settles what was said of a step of the draft, or opens it again. */
export function useSettleThread(moduleId: string) {
  return useThreadsMutation<ThreadState>(moduleId, 'PUT')
}
