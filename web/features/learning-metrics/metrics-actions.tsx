import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Braces, Download, Table } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { type LearningExportRequest, LearningMetricsAnswer } from '#contract/learning.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { useDownload } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/form-controls.tsx'
import { Menu } from '#web/ui/menu.tsx'

/** Learners report every half minute, so an open page shows new ones soon. */
const LOOK_AGAIN_MS = 30_000
/** Each request counts some more learners, so an incomplete count is requested again soon. */
const COUNT_ON_MS = 2_000

function metricsPath(moduleId: string): string {
  return `/api/learning-metrics/${encodeURIComponent(moduleId)}`
}

export function metricsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['learning-metrics', moduleId],
    queryFn: ({ signal }) => callApi({ path: metricsPath(moduleId), schema: LearningMetricsAnswer, signal }),
    refetchInterval: ({ state }) => (state.data?.isCounting ? COUNT_ON_MS : LOOK_AGAIN_MS),
  })
}

/** What share of the video makes it completed. */
export function ThresholdForm({ moduleId, completionPercent }: { moduleId: string; completionPercent: number }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const callApi = useApi()
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async (percent: number) => {
      const path = `/api/modules/${encodeURIComponent(moduleId)}`
      await callApi({ path, method: 'PATCH', body: { completionPercent: percent }, schema: Done })
      await queryClient.invalidateQueries({ queryKey: metricsQuery(callApi, moduleId).queryKey })
    },
    onError: (error) => toast.error(m.failed_to_save_when_the(), { description: error.message }),
  })
  const text = typed ?? String(completionPercent)
  const percent = Number(text)
  const isValid = Number.isInteger(percent) && percent >= 1 && percent <= 100

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isValid && !save.isPending) save.mutate(percent, { onSuccess: () => setTyped(null) })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm">
      <label htmlFor={id} className="text-ink-soft">
        {m.completed_once_so_much_was()}
      </label>
      <span className="inline-flex items-center gap-1.5">
        <Input
          id={id}
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          value={text}
          aria-invalid={!isValid || undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8! w-18! px-2! text-end tabular-nums"
        />
        <span aria-hidden="true">%</span>
      </span>
      {percent !== completionPercent && isValid && (
        <Button type="submit" size="small" variant="secondary" isBusy={save.isPending}>
          {m.save()}
        </Button>
      )}
      <p id={`${id}-error`} role="alert" className="font-medium text-danger-ink empty:hidden">
        {!isValid && m.a_whole_number_from_1()}
      </p>
    </form>
  )
}

const FILE_NAMES = { csv: 'learners.csv', xapi: 'statements.json' } as const

/** Everything in a file: a row per learner, or statements for a learning record store. */
export function ExportMenu({ moduleId }: { moduleId: string }) {
  const { mutate, isPending } = useDownload()
  function download(format: LearningExportRequest['format']) {
    mutate(
      { path: `${metricsPath(moduleId)}/export?format=${format}`, filename: FILE_NAMES[format] },
      { onError: (error) => toast.error(m.failed_to_download(), { description: error.message }) },
    )
  }
  const actions = [
    { icon: Table, label: m.learners_as_a_table_csv(), onSelect: () => download('csv') },
    { icon: Braces, label: m.xapi_statements_json(), onSelect: () => download('xapi') },
  ]
  return (
    <Menu variant="secondary" size="small" isBusy={isPending} actions={actions}>
      {!isPending && <Download aria-hidden="true" className="size-4" />}
      {m.download()}
    </Menu>
  )
}
