import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import {
  type IgnoreDevice,
  type ReopenReports,
  SettleAnswer,
  type StepReportEntry,
  StepReportsAnswer,
} from '#contract/feedback/step-report.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { showUndo } from '#web/ui/toast.tsx'

/** What is reported while the page is open is seen at the latest then; a danger comes at once. */
const REFRESH_MS = 30_000

function reportsPath(moduleId: string): string {
  return `/api/step-reports/${encodeURIComponent(moduleId)}`
}

export function photoPath(moduleId: string, reportId: string): string {
  return `${reportsPath(moduleId)}/photos/${encodeURIComponent(reportId)}`
}

/** Of the open reports of a module. */
export function stepReportsKey(moduleId: string): readonly [string, string] {
  return ['step-reports', moduleId]
}

/** Open reports of learners from the steps of a module. Owners only. */
export function stepReportsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: stepReportsKey(moduleId),
    queryFn: ({ signal }) => callApi({ path: reportsPath(moduleId), schema: StepReportsAnswer, signal }),
    refetchInterval: REFRESH_MS,
  })
}

const isSame = (entry: StepReportEntry, { stepId, kind }: Pick<StepReportEntry, 'stepId' | 'kind'>) =>
  entry.stepId === stepId && entry.kind === kind

/** Takes an entry off the list at once, and says what was done with a way back. */
export function useSettleReports(moduleId: string) {
  const callApi = useApi()
  const { reopen } = useTakeBack(moduleId)
  const queryKey = stepReportsKey(moduleId)
  return useOptimisticMutation({
    mutationFn: ({ entry: { stepId, kind, lastAt }, answer }: { entry: StepReportEntry; answer: string }) => {
      const body = { stepId, kind, lastAt, answer }
      return callApi({ path: `${reportsPath(moduleId)}/settle`, method: 'POST', body, schema: SettleAnswer })
    },
    edits: ({ entry }) => [
      makeEdit<StepReportsAnswer>(queryKey, (list) => {
        return { ...list, entries: list.entries.filter((each) => !isSame(each, entry)) }
      }),
    ],
    onSuccess: ({ settledAt }, { entry: { stepId, kind } }) => {
      showUndo(m.report_is_settled(), () => reopen({ stepId, kind, settledAt }))
    },
    stale: () => [queryKey],
    failure: m.report_could_not_be_changed(),
  }).mutate
}

/** Leaves out whatever the device reports that has sent a report. */
export function useIgnoreDevice(moduleId: string): (reportId: string) => void {
  const { ignore } = useTakeBack(moduleId)
  return (id) => ignore({ id, isIgnored: true })
}

function useTakeBack(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const options = {
    onSettled: () => queryClient.invalidateQueries({ queryKey: stepReportsKey(moduleId) }),
    onError: (error: Error) => toast.error(m.report_could_not_be_changed(), { description: error.message }),
  }
  const { mutate: reopen } = useMutation({
    ...options,
    mutationFn: (body: ReopenReports) =>
      callApi({ path: `${reportsPath(moduleId)}/reopen`, method: 'POST', body, schema: Done }),
  })
  const { mutate: ignore } = useMutation({
    ...options,
    mutationFn: (body: IgnoreDevice) =>
      callApi({ path: `${reportsPath(moduleId)}/ignored`, method: 'PUT', body, schema: Done }),
    onSuccess: (_, { id, isIgnored }) => {
      if (isIgnored) showUndo(m.device_is_ignored(), () => ignore({ id, isIgnored: false }))
    },
  })
  return { reopen, ignore }
}
