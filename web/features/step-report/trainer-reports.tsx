import { useQuery } from '@tanstack/react-query'
import { Check, Flag, TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { toast } from 'sonner'
import type { StepReportEntry } from '#contract/feedback/step-report.ts'
import { REPORT_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { formatCount } from '#web/lib/format/format-number.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge, Card } from '#web/ui/card.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { REPORT_KINDS } from './report-kinds.ts'
import { ReportPhoto } from './report-photo.tsx'
import { stepReportsQuery, useIgnoreDevice, useSettleReports } from './step-reports-query.ts'

interface NamedStep {
  id: string
  title: string
}

/** What learners report from a step, beside it. It lies above the button that the card is. */
export function StepReports({ moduleId, stepId }: { moduleId: string; stepId: string }) {
  const { data } = useQuery(stepReportsQuery(useApi(), moduleId))
  const entries = data?.entries.filter((entry) => entry.stepId === stepId) ?? []
  return <Entries {...{ moduleId, entries }} />
}

/**
 * What an owner is to see before the steps: dangers, each with the way to its step, and reports from steps that are gone.
 * A danger that comes while the page is open is said at once.
 */
export function ReportsNotice({ moduleId, steps }: { moduleId: string; steps: readonly NamedStep[] }) {
  const { data } = useQuery(stepReportsQuery(useApi(), moduleId))
  const dangers = data?.entries.filter(({ kind }) => kind === 'dangerous') ?? []
  useDangerMessage(data && dangers.reduce((sum, { count }) => sum + count, 0))
  const gone = data?.entries.filter(({ stepId }) => stepId === null) ?? []
  const hidden = data?.hidden ?? 0
  if (dangers.length + gone.length + hidden === 0) return null
  return (
    <Card className="grid grid-cols-1 gap-3 px-4 py-3">
      {dangers.map(({ stepId }) => {
        const number = steps.findIndex(({ id }) => id === stepId) + 1
        if (number === 0) return null
        return (
          <p key={stepId} className="flex items-start gap-2 text-sm font-medium text-danger-ink">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <Link to={{ hash: `step-${number}` }} className="min-w-0 rounded-chip wrap-anywhere underline">
              {m.danger_at_step({ number, title: steps[number - 1]?.title ?? '' })}
            </Link>
          </p>
        )
      })}
      {gone.length > 0 && (
        <section>
          <h3 className="text-sm font-semibold">{m.at_steps_that_are_gone()}</h3>
          <Entries {...{ moduleId }} entries={gone} />
        </section>
      )}
      {hidden > 0 && <p className="text-sm text-ink-soft">{m.more_as_you_settle({ shown: formatCount(hidden) })}</p>}
    </Card>
  )
}

/** @param count of devices that report a danger; undefined while it is not known */
function useDangerMessage(count: number | undefined): void {
  const known = useRef(count)
  useEffect(() => {
    const before = known.current
    known.current = count
    if (before !== undefined && count !== undefined && count > before) toast.error(m.danger_was_reported())
  }, [count])
}

function Entries({ moduleId, entries }: { moduleId: string; entries: readonly StepReportEntry[] }) {
  if (entries.length === 0) return null
  return (
    <ul aria-label={m.reports()} className="relative z-1 mt-3 grid grid-cols-1 gap-2.5">
      {entries.map((entry) => (
        <Entry key={`${entry.kind} ${entry.stepId}`} {...{ moduleId, entry }} />
      ))}
    </ul>
  )
}

function Entry({ moduleId, entry }: { moduleId: string; entry: StepReportEntry }) {
  const { kind, count, lastAt, reports } = entry
  const lastOn = new Date(lastAt).toISOString()
  return (
    <li className="rounded-control border border-line bg-surface p-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={kind === 'dangerous' ? 'danger' : 'warn'}>
          <Flag aria-hidden="true" className="size-3.5" />
          {REPORT_KINDS[kind]}
        </Badge>
        <span className="text-ink-soft">{m.reported_by_devices({ count })}</span>
        <time dateTime={lastOn} className="text-ink-faint">
          {formatDate(lastOn)}
        </time>
      </div>
      {reports.length > 0 && (
        <ul className="mt-2 grid grid-cols-1 gap-2">
          {reports.map((report) => (
            <Report key={report.id} {...{ moduleId, report }} />
          ))}
        </ul>
      )}
      <SettleForm {...{ moduleId, entry }} />
    </li>
  )
}

type ShownReport = StepReportEntry['reports'][number]

function Report({ moduleId, report }: { moduleId: string; report: ShownReport }) {
  const ignore = useIgnoreDevice(moduleId)
  const isBare = report.text === '' && !report.hasPhoto
  return (
    <li className="border-s-2 border-line ps-2.5">
      {report.text !== '' && (
        <p dir="auto" className="wrap-anywhere">
          {report.text}
        </p>
      )}
      {isBare && (
        <time dateTime={report.reportedAt} className="block text-ink-soft">
          {formatDate(report.reportedAt)}
        </time>
      )}
      {report.hasPhoto && <ReportPhoto moduleId={moduleId} reportId={report.id} />}
      <Button variant="ghost" size="small" onClick={() => ignore(report.id)} className="-ms-2 px-2! text-ink-faint!">
        {m.ignore_this_device()}
      </Button>
    </li>
  )
}

/** Settles an entry, with or without a word to those who reported it. */
function SettleForm({ moduleId, entry }: { moduleId: string; entry: StepReportEntry }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [answer, setAnswer] = useState('')
  const settle = useSettleReports(moduleId)
  if (!isOpen) {
    return (
      <Button variant="secondary" size="small" className="mt-2.5" onClick={() => setIsOpen(true)}>
        <Check aria-hidden="true" className="size-4" />
        {m.settle_report()}
      </Button>
    )
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    settle({ entry, answer })
  }
  return (
    <form onSubmit={submit} className="mt-2.5 grid gap-2.5">
      <FormField id={id} label={m.say_to_reporter()}>
        {(links) => (
          <Input
            {...links}
            dir="auto"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for the field
            autoFocus
            maxLength={REPORT_MAX_CHARS}
            value={answer}
            onChange={({ currentTarget }) => setAnswer(currentTarget.value)}
          />
        )}
      </FormField>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small">
          {m.settle_report()}
        </Button>
        <Button variant="ghost" size="small" onClick={() => setIsOpen(false)}>
          {m.cancel()}
        </Button>
      </div>
    </form>
  )
}
