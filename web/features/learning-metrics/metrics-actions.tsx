import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Braces, Download, Table } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { type LearningExportRequest, LearningMetricsAnswer, Pseudonym } from '#contract/learning.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { useDownload } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/form-controls.tsx'
import { Menu } from '#web/ui/menu.tsx'

/** Learners report every ten seconds, so an open page shows new ones soon. */
const LOOK_AGAIN_MS = 30_000
/** Each request counts some more learners, so an incomplete count is requested again soon. */
const COUNT_ON_MS = 2_000

function metricsPath(moduleId: string): string {
  return `/api/learning-metrics/${encodeURIComponent(moduleId)}`
}

function metricsKey(moduleId: string) {
  return ['learning-metrics', moduleId] as const
}

export function metricsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: metricsKey(moduleId),
    queryFn: ({ signal }) => callApi({ path: metricsPath(moduleId), schema: LearningMetricsAnswer, signal }),
    refetchInterval: ({ state }) => (state.data?.isCounting ? COUNT_ON_MS : LOOK_AGAIN_MS),
  })
}

/** Changes what the metrics of a module are made of, and loads them again. */
function useMetricsChange<Change>(moduleId: string, failure: string, makeCall: (change: Change) => MetricsCall) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change) => {
      await callApi({ ...makeCall(change), schema: Done })
      await queryClient.invalidateQueries({ queryKey: metricsKey(moduleId) })
    },
    onError: (error) => toast.error(failure, { description: error.message }),
  })
}

type MetricsCall = Pick<Parameters<CallApi>[0], 'path' | 'method' | 'body'>

/** What share of the video makes it completed. */
export function ThresholdForm({ moduleId, completionPercent }: { moduleId: string; completionPercent: number }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const save = useMetricsChange(moduleId, m.failed_to_save_when_the(), (percent: number) => ({
    path: `/api/modules/${encodeURIComponent(moduleId)}`,
    method: 'PATCH',
    body: { completionPercent: percent },
  }))
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

/** Takes one learner out of the numbers, by the name that downloads give. */
export function RemoveLearner({ moduleId }: { moduleId: string }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const remove = useMetricsChange(moduleId, m.failed_to_remove_the_learner(), (learner: string) => ({
    path: `${metricsPath(moduleId)}/learners/${learner}`,
    method: 'DELETE',
  }))
  const pseudonym = Pseudonym.safeParse(typed.trim())
  const isWrong = typed.trim() !== '' && !pseudonym.success

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!pseudonym.success || remove.isPending) return
    remove.mutate(pseudonym.data, {
      onSuccess() {
        setTyped('')
        toast.success(m.learner_removed())
      },
    })
  }
  return (
    <details className="mt-4 text-sm">
      <summary className="cursor-pointer rounded-control py-1 text-ink-soft">{m.remove_a_learner()}</summary>
      <form noValidate onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
        <label htmlFor={id} className="grid min-w-0 flex-1 basis-60 gap-1 text-ink-soft">
          {m.pseudonym_from_the_table_csv()}
          <Input
            id={id}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isWrong || undefined}
            aria-describedby={`${id}-error ${id}-hint`}
            onChange={(event) => setTyped(event.target.value)}
            className="h-9! font-mono"
          />
        </label>
        <Button type="submit" size="small" variant="secondary" disabled={!pseudonym.success} isBusy={remove.isPending}>
          {m.remove()}
        </Button>
        {isWrong && (
          <p id={`${id}-error`} role="alert" className="w-full font-medium text-danger-ink">
            {m.the_pseudonym_is_the_32()}
          </p>
        )}
        <p id={`${id}-hint`} className="w-full text-xs text-ink-faint">
          {m.deletes_what_this_learner_has()}
        </p>
      </form>
    </details>
  )
}
