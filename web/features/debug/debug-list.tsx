import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { CircleCheck, CloudAlert } from 'lucide-react'
import { useState } from 'react'
import type { DebugListAnswer } from '#contract/debug.ts'
import { DEBUG_LIST_DEFAULT } from '#contract/limits.ts'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { DEBUG_FILTERS, type DebugFilter, debugModulesQuery } from './debug-queries.ts'
import { DebugRow } from './debug-row.tsx'

interface DebugFilterBarProps {
  filter: DebugFilter
  onChange: (filter: DebugFilter) => void
}

/** Which modules are listed. */
function DebugFilterBar({ filter, onChange }: DebugFilterBarProps) {
  return (
    <fieldset className="flex flex-wrap gap-1 rounded-control bg-sunken p-1">
      <legend className="sr-only">Show</legend>
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
  own: 'Your modules',
  organization: 'Modules of your organization',
  all: 'All modules',
}

/** Modules with what is wrong with them. */
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
        <Notice
          icon={CloudAlert}
          tone="danger"
          role="alert"
          level={2}
          title="Failed to fetch modules"
          actions={
            <Button isBusy={isFetching} onClick={() => refetch()}>
              Try Again
            </Button>
          }
        >
          <p>{error?.message}</p>
        </Notice>
      )}
    </section>
  )
}

function Rows({ answer, filter, isStale }: { answer: DebugListAnswer; filter: DebugFilter; isStale: boolean }) {
  if (answer.modules.length === 0) {
    return (
      <Notice
        icon={CircleCheck}
        level={2}
        title={filter === 'all' ? 'There are no modules yet' : 'Nothing to see here'}
      >
        <p>{filter === 'all' ? 'They appear here with their first bytes.' : 'No module is in this state.'}</p>
      </Notice>
    )
  }
  return (
    <>
      <ul aria-busy={isStale} className={`grid gap-3 ${isStale ? 'opacity-60' : ''}`}>
        {answer.modules.map((module) => (
          <DebugRow key={module.id} module={module} />
        ))}
      </ul>
      {answer.modules.length === DEBUG_LIST_DEFAULT && (
        <p className="mt-4 text-center text-sm text-ink-soft">The {DEBUG_LIST_DEFAULT} newest are shown.</p>
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
      <StillLoading what="modules" />
    </div>
  )
}
