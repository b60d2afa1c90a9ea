import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight, FileUp } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { IMPORT_ROWS_MAX } from '#contract/limits.ts'
import { ImportAnswer, type ImportRow } from '#contract/team/people.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Textarea } from '#web/ui/form-controls.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { PEOPLE_KEY, settleAll } from './people-queries.ts'
import { type ReadRows, type RowProblem, readRows } from './read-rows.ts'

/** Problems that are named; a list with more is looked at in the spreadsheet. */
const NAMED_MAX = 20

type Numbers = Pick<ImportAnswer, 'added' | 'changed' | 'unchanged'>

type Import =
  | { kind: 'idle' }
  /** These people get another name: the list is imported once that was seen. */
  | { kind: 'asking'; renamed: ImportAnswer['renamed'] }
  | { kind: 'running'; done: number }
  | { kind: 'done'; numbers: Numbers }
  | { kind: 'stopped'; reason: string }

/** Finds out whom a list renames, which may be a mistake in its numbers. */
async function findRenamed(callApi: CallApi, rows: readonly ImportRow[]): Promise<ImportAnswer['renamed']> {
  const renamed: ImportAnswer['renamed'] = []
  for (let from = 0; from < rows.length; from += IMPORT_ROWS_MAX) {
    const body = { rows: rows.slice(from, from + IMPORT_ROWS_MAX), isPreview: true }
    renamed.push(...(await callApi({ path: IMPORT_PATH, method: 'POST', body, schema: ImportAnswer })).renamed)
  }
  return renamed
}

const IMPORT_PATH = '/api/people/import'

/** Takes over a list of people, part after part. What is there already stays, so it may be stopped and begun again. */
async function importRows(
  callApi: CallApi,
  rows: readonly ImportRow[],
  onProgress: (done: number) => void,
): Promise<Numbers> {
  const sum = { added: 0, changed: 0, unchanged: 0 }
  for (let from = 0; from < rows.length; from += IMPORT_ROWS_MAX) {
    const body = { rows: rows.slice(from, from + IMPORT_ROWS_MAX) }
    const answer = await callApi({ path: IMPORT_PATH, method: 'POST', body, schema: ImportAnswer })
    for (const key of ['added', 'changed', 'unchanged'] as const) sum[key] += answer[key]
    await settleAll(callApi, '/api/assignments/settle', { personIds: answer.personIds })
    onProgress(Math.min(rows.length, from + IMPORT_ROWS_MAX))
  }
  return sum
}

function Renamed({ people }: { people: ImportAnswer['renamed'] }) {
  return (
    <div className="mt-4 rounded-control bg-warn-soft p-3 text-sm text-warn-ink" role="alert">
      <p className="font-medium tabular-nums">{m.rows_renamed({ count: people.length })}</p>
      <ul className="mt-1 max-h-32 overflow-y-auto wrap-anywhere">
        {people.slice(0, NAMED_MAX).map(({ before, after }, index) => (
          // Two people may change from and to the same names, and nothing moves.
          <li key={index}>
            <bdi>{before}</bdi> <ArrowRight aria-label="→" className="inline size-4" /> <bdi>{after}</bdi>
          </li>
        ))}
        {people.length > NAMED_MAX && <li>…</li>}
      </ul>
    </div>
  )
}

/** A list of people from a spreadsheet, looked at before it is imported. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const callApi = useApi()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [state, setState] = useState<Import>({ kind: 'idle' })
  const read = readRows(text)
  function change(to: string) {
    setText(to)
    setState({ kind: 'idle' })
  }
  async function start() {
    setState({ kind: 'running', done: 0 })
    try {
      const renamed = state.kind === 'asking' ? [] : await findRenamed(callApi, read.rows)
      if (renamed.length > 0) return setState({ kind: 'asking', renamed })
      const numbers = await importRows(callApi, read.rows, (done) => setState({ kind: 'running', done }))
      setState({ kind: 'done', numbers })
      setText('')
    } catch (error) {
      setState({ kind: 'stopped', reason: error instanceof Error ? error.message : '' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: PEOPLE_KEY })
    }
  }
  const isRunning = state.kind === 'running'
  return (
    <Dialog isOpen onOpenChange={onClose} title={m.import_people()} description={m.import_explained()}>
      <FormField id={id} label={m.rows_of_people()}>
        {(links) => (
          <Textarea
            {...links}
            rows={6}
            value={text}
            disabled={isRunning}
            spellCheck={false}
            onChange={({ target }) => change(target.value)}
          />
        )}
      </FormField>
      <FileChoice isDisabled={isRunning} onText={change} />
      <Preview read={read} />
      <ImportState state={state} all={read.rows.length} />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {m.close()}
        </Button>
        <Button isBusy={isRunning} disabled={read.rows.length === 0} onClick={() => void start()}>
          {state.kind === 'asking' ? m.import_anyway() : m.import_action()}
        </Button>
      </div>
    </Dialog>
  )
}

function FileChoice({ isDisabled, onText }: { isDisabled: boolean; onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? []
    if (file !== undefined) onText(await file.text())
    // The same file may be chosen again.
    target.value = ''
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label={m.choose_csv_file()}
        className="hidden"
        onChange={(event) => void choose(event)}
      />
      <Button
        variant="secondary"
        size="small"
        className="mt-2"
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        <FileUp aria-hidden="true" className="size-4" />
        {m.choose_csv_file()}
      </Button>
    </>
  )
}

function describe(problem: RowProblem): string {
  if (problem.kind === 'noName') return m.row_without_name()
  if (problem.kind === 'noAddress') return m.row_with_wrong_email()
  return problem.kind === 'tooLong' ? m.row_too_long() : m.row_there_twice({ row: problem.first })
}

function Preview({ read: { rows, problems } }: { read: ReadRows }) {
  if (rows.length + problems.length === 0) return null
  return (
    <div className="mt-4 text-sm" role="status">
      <p className="font-medium tabular-nums">{m.rows_ready({ count: rows.length })}</p>
      <ul className="mt-1 text-ink-soft">
        {rows.slice(0, 3).map(({ name, number, email, groups }) => (
          <li key={`${name} ${number}`} className="truncate">
            <bdi>
              {[name, number, email, groups.join('; ')].filter((part) => part !== null && part !== '').join(' · ')}
            </bdi>
          </li>
        ))}
        {rows.length > 3 && <li>…</li>}
      </ul>
      {problems.length > 0 && (
        <>
          <p className="mt-3 font-medium text-danger-ink tabular-nums">{m.rows_left_out({ count: problems.length })}</p>
          <ul className="mt-1 max-h-32 overflow-y-auto text-ink-soft">
            {problems.slice(0, NAMED_MAX).map((problem) => (
              <li key={problem.row}>{m.row_problem({ row: problem.row, problem: describe(problem) })}</li>
            ))}
            {problems.length > NAMED_MAX && <li>…</li>}
          </ul>
        </>
      )}
    </div>
  )
}

function ImportState({ state, all }: { state: Import; all: number }) {
  if (state.kind === 'asking') return <Renamed people={state.renamed} />
  if (state.kind === 'running')
    return <Progress className="mt-4" value={(state.done / Math.max(1, all)) * 100} label={m.import_people()} />
  if (state.kind === 'done')
    return (
      <p role="status" className="mt-4 text-sm font-medium tabular-nums">
        {m.import_outcome(state.numbers)}
      </p>
    )
  if (state.kind === 'stopped')
    return (
      <p role="alert" className="mt-4 text-sm text-danger-ink">
        {m.import_stopped()} {state.reason}
      </p>
    )
  return null
}
