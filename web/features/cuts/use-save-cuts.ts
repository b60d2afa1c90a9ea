import { useMutation } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { SaveCuts } from '#contract/cuts.ts'
import { StepsAnswer } from '#contract/step.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { showUndo } from '#web/ui/toast.tsx'
import { sayLength } from './say-length.ts'

interface SaveCutsOptions {
  moduleId: string
  /** The steps with the version and the cuts that the page shows; undefined while they load. */
  answer: StepsAnswer | undefined
  onSteps: (answer: StepsAnswer) => void
  /** Loads the steps again, after another person was first. */
  onStale: () => void
}

/** Saves what is left out of a video, and offers to undo it. */
export function useSaveCuts({ moduleId, answer, onSteps, onStale }: SaveCutsOptions) {
  const callApi = useApi()
  const put = ({ cuts, version }: { cuts: Cuts; version: number | undefined }) =>
    callApi({
      path: `/api/steps/${encodeURIComponent(moduleId)}/cuts`,
      method: 'PUT',
      body: { cuts, version } satisfies SaveCuts,
      schema: StepsAnswer,
    })
  const onError = (error: Error) => {
    toast.error(m.cuts_not_saved(), { description: error.message })
    onStale()
  }
  const undo = useMutation({ mutationFn: put, onSuccess: onSteps, onError })
  const save = useMutation({
    mutationFn: (cuts: Cuts) => put({ cuts, version: answer?.meta.version }),
    onSuccess(after) {
      const before = answer?.meta.cuts ?? []
      onSteps(after)
      const { cuts, version } = after.meta
      const done = cuts.length === 0 ? m.all_of_it_is_played() : m.time_is_left_out({ time: sayLength(cuts) })
      showUndo(done, () => undo.mutate({ cuts: before, version }))
    },
    onError,
  })
  return save
}
