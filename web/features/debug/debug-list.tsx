import { useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronDown, CircleCheck, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { DebugListAnswer, DebugModule } from '#contract/debug.ts'
import { DEBUG_LIST_DEFAULT } from '#contract/limits.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { useReprocessModule } from '#web/lib/change-module.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { DEBUG_KEY } from '#web/lib/module-cache.ts'
import { runMessage } from '#web/lib/server-sentences.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge, type BadgeTone, Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { fillMarks, HIDDEN } from '#web/ui/fill-marks.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed, Notice } from '#web/ui/notice.tsx'
import { DEBUG_FILTERS, type DebugFilter, debugModulesQuery } from './debug-queries.ts'
import { DebugTimeline } from './debug-timeline.tsx'

function DebugFilterBar({ filter, onChange }: { filter: DebugFilter; onChange: (filter: DebugFilter) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-1 rounded-control bg-sunken p-1">
      <legend className="sr-only">{m.show()}</legend>
      {(Object.keys(DEBUG_FILTERS) as DebugFilter[]).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === filter}
          onClick={() => onChange(each)}
          className={clsx(
            'h-8 rounded-chip px-3 text-sm font-medium transition-colors',
            each === filter ? 'bg-surface text-ink shadow-card' : 'text-ink-soft hover:text-ink',
          )}
        >
          {DEBUG_FILTERS[each].label}
        </button>
      ))}
    </fieldset>
  )
}

const SCOPES: Record<DebugListAnswer['scope'], string> = {
  own: m.your_modules(),
  organization: m.modules_of_your_organization(),
  all: m.all_modules(),
}

export function DebugList() {
  const [filter, setFilter] = useState<DebugFilter>('all')
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(
    debugModulesQuery(useApi(), filter),
  )
  return (
    <section aria-labelledby="debug-modules-heading">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="debug-modules-heading" className="text-lg font-semibold">
          {SCOPES[data?.scope ?? 'own']}
        </h2>
        <DebugFilterBar filter={filter} onChange={setFilter} />
      </div>
      {data !== undefined && <Rows answer={data} filter={filter} isStale={isPlaceholderData} />}
      {data === undefined && isPending && <RowsSkeleton />}
      {data === undefined && !isPending && (
        <ListFailed title={m.failed_to_fetch_modules()} error={error} isBusy={isFetching} onRetry={() => refetch()} />
      )}
    </section>
  )
}

function Rows({ answer, filter, isStale }: { answer: DebugListAnswer; filter: DebugFilter; isStale: boolean }) {
  if (answer.modules.length === 0) {
    const [title, text] =
      filter === 'all'
        ? [m.there_are_no_modules_yet(), m.they_appear_here_with_their()]
        : [m.nothing_to_see_here(), m.no_module_is_in_this()]
    return (
      <Notice icon={CircleCheck} level={2} title={title}>
        <p>{text}</p>
      </Notice>
    )
  }
  return (
    <>
      <ul aria-busy={isStale} className={`grid grid-cols-1 gap-3 ${isStale ? 'opacity-60' : ''}`}>
        {answer.modules.map((module) => (
          <DebugRow key={module.id} module={module} />
        ))}
      </ul>
      {answer.modules.length === DEBUG_LIST_DEFAULT && (
        <p className="mt-4 text-center text-sm text-ink-soft">
          {m.the_debug_list_default_newest({ DEBUG_LIST_DEFAULT })}
        </p>
      )}
    </>
  )
}

function RowsSkeleton() {
  return (
    <div className="grid gap-3">
      {['first', 'second', 'third'].map((place) => (
        <Skeleton key={place} className="h-24 rounded-card" />
      ))}
      <StillLoading what={m.modules_noun()} />
    </div>
  )
}

const LOOKS: Record<DebugModule['status'], { label: string; tone: BadgeTone }> = {
  PROCESSING: { label: m.processing_state(), tone: 'accent' },
  READY: { label: m.ready_state(), tone: 'brand' },
  FAILED: { label: m.failed_state(), tone: 'danger' },
  orphaned: { label: m.orphaned(), tone: 'neutral' },
}

function DebugRow({ module }: { module: DebugModule }) {
  const [isOpen, setIsOpen] = useState(false)
  const detailsId = useId()
  const { label, tone } = LOOKS[module.status]
  return (
    <li>
      <Card className="@container overflow-hidden">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4">
          <div className="min-w-0 flex-1 basis-64">
            <div className="flex flex-wrap items-center gap-2">
              <Link to={module.trainingUrl} className="font-medium wrap-anywhere hover:underline">
                {module.title}
              </Link>
              <Badge tone={tone}>{label}</Badge>
              {module.isStuck && <Badge tone="warn">{m.stuck()}</Badge>}
              {module.needsAttention && !module.isStuck && <Badge tone="warn">{m.needs_attention()}</Badge>}
            </div>
            <p className="mt-1 text-sm text-ink-soft wrap-anywhere">{whatHappened(module)}</p>
            <Facts module={module} />
            <ModuleId module={module} />
          </div>
          <div className="flex flex-wrap gap-2">
            {module.mayRetry && <RetryButton module={module} />}
            <Button
              variant="ghost"
              size="small"
              aria-expanded={isOpen}
              aria-controls={detailsId}
              onClick={() => setIsOpen(!isOpen)}
            >
              {fillMarks(m.timeline_of({ title: module.title }), HIDDEN)}
              <ChevronDown aria-hidden="true" className={`size-4 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
            </Button>
          </div>
        </div>
        <div id={detailsId}>{isOpen && <DebugTimeline moduleId={module.id} />}</div>
      </Card>
    </li>
  )
}

function whatHappened({ status, runStatus, lastError, message, progress, stepsCount }: DebugModule): string {
  if (status === 'orphaned') return m.its_upload_has_stood_still()
  const work = `${progress}% · ${runMessage(message)}`
  const reason = lastError ?? m.it_failed_and_left_no()
  if (status === 'FAILED') return reason
  if (status === 'PROCESSING') return work
  if (runStatus === 'PROCESSING') return m.it_is_ready_a_new({ work })
  if (runStatus === 'FAILED') return m.it_is_ready_a_new_version({ reason })
  return stepsCount === 0 ? m.it_is_ready_but_has() : m.it_is_ready()
}

function Facts({ module }: { module: DebugModule }) {
  const facts = [
    [m.steps(), module.stepsCount, 'font-medium tabular-nums'],
    [m.questions(), module.questionsCount, 'font-medium tabular-nums'],
    [m.feedback(), module.feedbacksCount, 'font-medium tabular-nums'],
    [m.created(), formatDate(module.createdAt), 'tabular-nums'],
    [m.by(), module.userId, 'truncate font-mono'],
  ] as const
  return (
    <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-faint">
      {facts.map(([name, value, look]) => (
        <div key={name} className="flex min-w-0 gap-1">
          <dt>{name}</dt>
          <dd className={`text-ink-soft ${look}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the log calls the module. */
function ModuleId({ module: { id, title } }: { module: DebugModule }) {
  return (
    <p className="mt-1 flex items-center gap-1 text-xs text-ink-faint">
      <span className="shrink-0">{m.id()}</span>
      <code className="min-w-0 truncate text-ink-soft">{id}</code>
      <CopyButton
        text={id}
        about={m.id_of_title({ title })}
        variant="ghost"
        size="small"
        className="h-6! px-1.5! text-xs!"
      />
    </p>
  )
}

/** Resumes a failed run where it broke off; starts any other module from the beginning. */
function RetryButton({ module }: { module: DebugModule }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useReprocessModule({
    onBegun: () => queryClient.invalidateQueries({ queryKey: DEBUG_KEY }),
  })
  const isBroken = module.runStatus === 'FAILED' || module.isStuck
  if (module.runStatus === 'PROCESSING' && !module.isStuck) return null
  return (
    <Button
      variant="secondary"
      size="small"
      isBusy={isPending}
      onClick={() => mutate({ moduleId: module.id, from: isBroken ? 'failed' : 'start' })}
    >
      <RotateCcw aria-hidden="true" className="size-4" />
      {isBroken ? m.retry() : m.reprocess()}
      <span className="sr-only"> {module.title}</span>
    </Button>
  )
}
