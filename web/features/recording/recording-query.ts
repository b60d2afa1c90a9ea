import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Done } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import { RecordingAnswer, type TakeRecording } from '#contract/training/recording.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'

function pathOf(moduleId: string): string {
  return `/api/recordings/${encodeURIComponent(moduleId)}`
}

function recordingKey(moduleId: string) {
  return ['recording', moduleId] as const
}

/** How often the page asks while the recording is processed. */
const POLL_MS = 10_000

/** The new recording that is to replace the video of a training. */
export function recordingQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: recordingKey(moduleId),
    queryFn: ({ signal }) => callApi({ path: pathOf(moduleId), schema: RecordingAnswer, signal }),
    // The times depend on the steps as they are now.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.recording?.status === 'PROCESSING' ? POLL_MS : false),
  })
}

interface OnChange {
  onDone: () => void
  onFailed: (error: Error) => void
}

/** Has the training take the video of its new recording. */
export function useTakeRecording(moduleId: string, { onDone, onFailed }: OnChange) {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  return useMutation({
    mutationFn: (body: TakeRecording) => callApi({ path: pathOf(moduleId), method: 'POST', body, schema: StepsAnswer }),
    onSuccess: async () => {
      // Video, steps, transcript and lists are other ones now.
      await queryClient.invalidateQueries()
      onDone()
    },
    onError: async (error) => {
      onFailed(error)
      await queryClient.invalidateQueries({ queryKey: recordingKey(moduleId) })
    },
  })
}

/** Keeps the old video: the recording is deleted like any training, and can be restored as one. */
export function useDropRecording(moduleId: string, { onDone, onFailed }: OnChange) {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  return useMutation({
    mutationFn: (recordingId: string) =>
      callApi({ path: `/api/modules/${encodeURIComponent(recordingId)}`, method: 'DELETE', schema: Done }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: recordingKey(moduleId) })
      onDone()
    },
    onError: onFailed,
  })
}
