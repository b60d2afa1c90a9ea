import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { DueReviewsAnswer, type SendBack } from '#contract/review.ts'
import { StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import {
  type PublishRequest,
  type ReviewRequest,
  VersionAnswer,
  type VersionContent,
  type VersionName,
  VersionsAnswer,
  type VersionsSwitch,
} from '#contract/version.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { moduleKey, ORGANIZATION_KEY } from '#web/lib/module-cache.ts'

/** Where the versions of a training are asked for. */
export function pathOf(moduleId: string): string {
  return `/api/versions/${encodeURIComponent(moduleId)}`
}

export function versionsKey(moduleId: string) {
  return ['versions', moduleId] as const
}

/** The published versions of a training. */
export function versionsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: versionsKey(moduleId),
    queryFn: ({ signal }) => callApi({ path: pathOf(moduleId), schema: VersionsAnswer, signal }),
  })
}

/** The content of a version, or of the draft as it would be published now. A published one never changes. */
export function versionQuery(callApi: CallApi, moduleId: string, name: VersionName) {
  return queryOptions({
    queryKey: [...versionsKey(moduleId), name],
    queryFn: ({ signal }) => callApi({ path: `${pathOf(moduleId)}/${name}`, schema: VersionAnswer, signal }),
    ...(name === 'draft' ? { staleTime: 0 } : { staleTime: Number.POSITIVE_INFINITY }),
  })
}

/** A version, or the draft, with the name of its transcript: that of the draft changes. */
export interface Transcribed {
  name: VersionName
  captions: VersionContent['captions']
}

/** What is said in a version, or in the draft, as learners read it. */
export function transcriptQuery(callApi: CallApi, moduleId: string, { name, captions }: Transcribed) {
  return queryOptions({
    queryKey: [...versionsKey(moduleId), name, 'transcript', captions],
    queryFn: async ({ signal }) =>
      (await callApi({ path: `${pathOf(moduleId)}/${name}/transcript`, schema: TranscriptAnswer, signal })).segments,
    ...(name === 'draft' ? { staleTime: 0 } : { staleTime: Number.POSITIVE_INFINITY }),
  })
}

export const dueReviewsKey = [...ORGANIZATION_KEY, 'reviews-due'] as const

/** Trainings whose version is to be looked at again. */
export function dueReviewsQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: dueReviewsKey,
    queryFn: async ({ signal }) =>
      (await callApi({ path: '/api/versions/due', schema: DueReviewsAnswer, signal })).trainings,
    retry: false,
  })
}

/** What a page does once learners see something else, or where that failed. */
interface OnChange {
  onPublished: (answer: VersionsAnswer) => void
  onFailed: (error: Error) => void
}

function useVersionsMutation<Variables>(
  moduleId: string,
  { onPublished, onFailed }: OnChange,
  send: (callApi: CallApi, variables: Variables) => Promise<VersionsAnswer>,
) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => send(callApi, variables),
    onSuccess: async (answer) => {
      // What was asked before this would come after it, and show what was.
      await queryClient.cancelQueries({ queryKey: versionsKey(moduleId), exact: true })
      queryClient.setQueryData(versionsKey(moduleId), answer)
      onPublished(answer)
      return queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) })
    },
    onError: onFailed,
  })
}

/** Has learners see published versions, or the draft. */
export function useSwitchVersions(moduleId: string, onChange: OnChange) {
  return useVersionsMutation(moduleId, onChange, (callApi, body: VersionsSwitch) =>
    callApi({ path: pathOf(moduleId), method: 'PUT', body, schema: VersionsAnswer }),
  )
}

/** Publishes the draft that the person has seen. */
export function usePublish(moduleId: string, onChange: OnChange) {
  return useVersionsMutation(moduleId, onChange, (callApi, body: PublishRequest) =>
    callApi({ path: pathOf(moduleId), method: 'POST', body, schema: VersionsAnswer }),
  )
}

/** Asks for a release of the draft that the person has seen. */
export function useAskForReview(moduleId: string, onChange: OnChange) {
  return useVersionsMutation(moduleId, onChange, (callApi, body: ReviewRequest) =>
    callApi({ path: `${pathOf(moduleId)}/review`, method: 'POST', body, schema: VersionsAnswer }),
  )
}

/** Sends the draft back to whoever asked for its release. */
export function useSendBack(moduleId: string, onChange: OnChange) {
  return useVersionsMutation(moduleId, onChange, (callApi, body: SendBack) =>
    callApi({ path: `${pathOf(moduleId)}/review`, method: 'PUT', body, schema: VersionsAnswer }),
  )
}

/** Sets how often the version that learners see is to be looked at again. */
export function useScheduleReviews(moduleId: string, onChange: OnChange) {
  return useVersionsMutation(moduleId, onChange, (callApi, months: number | null) =>
    callApi({ path: `${pathOf(moduleId)}/schedule`, method: 'PUT', body: { months }, schema: VersionsAnswer }),
  )
}

/** Makes a version the draft again. */
export function useRestoreVersion(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ number, stepsVersion }: { number: number; stepsVersion: number }) =>
      callApi({
        path: `${pathOf(moduleId)}/${number}/restore`,
        method: 'POST',
        body: { stepsVersion },
        schema: StepsAnswer,
      }),
    onSettled: () =>
      Promise.all(
        [moduleKey(moduleId), ['steps', moduleId], [...versionsKey(moduleId), 'draft']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
