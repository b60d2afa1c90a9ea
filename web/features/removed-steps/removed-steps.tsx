import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { StepsAnswer } from '#contract/step.ts'
import { type RemovedStep, RemovedStepsAnswer } from '#contract/training/removed-step.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'

function pathOf(moduleId: string): string {
  return `/api/steps/${encodeURIComponent(moduleId)}/removed`
}

/** @param version of the steps: each change may remove some, or bring some back */
function removedQuery(callApi: CallApi, moduleId: string, version: number) {
  return queryOptions({
    queryKey: ['removed-steps', moduleId, version],
    queryFn: ({ signal }) => callApi({ path: pathOf(moduleId), schema: RemovedStepsAnswer, signal }),
    placeholderData: (before) => before,
    staleTime: 0,
  })
}

interface RemovedStepsProps {
  moduleId: string
  /** Of the steps as they are shown. */
  version: number
  /** The steps with the one that was restored. */
  onRestored: (answer: StepsAnswer) => void
}

/** Steps that were deleted in the last days, each of which comes back at its time. Nothing where there are none. */
export function RemovedSteps({ moduleId, version, onRestored }: RemovedStepsProps) {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  const { data } = useQuery(removedQuery(callApi, moduleId, version))
  const restore = useMutation({
    mutationFn: ({ id }: RemovedStep) =>
      callApi({ path: `${pathOf(moduleId)}/${encodeURIComponent(id)}`, method: 'POST', schema: StepsAnswer }),
    onSuccess: onRestored,
    onError: (error) => toast.error(m.failed_to_restore_the_step(), { description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['removed-steps', moduleId] }),
  })
  const steps = data?.steps ?? []
  if (steps.length === 0) return null
  return (
    <SectionCard title={m.deleted_steps()} className="px-4 py-4 sm:px-5">
      <p className="mt-1 text-sm text-ink-soft">{m.deleted_steps_explained()}</p>
      <ul className="mt-2 divide-y divide-line">
        {steps.map((step) => (
          <li key={step.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
            <div className="min-w-0 flex-1 basis-40 text-sm">
              <p dir="auto" className="font-medium wrap-anywhere">
                {step.title}
              </p>
              <p className="text-ink-soft tabular-nums">
                {formatTime(step.start)} · {m.deleted_on({ date: formatDate(step.removedAt) })}
              </p>
            </div>
            <Button
              variant="secondary"
              size="small"
              aria-label={m.restore_titled({ title: step.title })}
              isBusy={restore.isPending && restore.variables.id === step.id}
              onClick={() => restore.mutate(step)}
            >
              {m.restore_action()}
            </Button>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
