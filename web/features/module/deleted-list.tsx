import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { DeletedModule } from '#contract/deleted-module.ts'
import { formatDate } from '#web/lib/format-date.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { useIsOnline } from '#web/lib/use-is-online.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useRestoreModule } from './use-restore-module.ts'

interface DeletedListProps {
  /** Undefined while they are not known. */
  modules: DeletedModule[] | undefined
  failure: Error | null
  isFetching: boolean
  onRetry: () => void
}

/** What was deleted, with the way back, in every state that the list can be in. */
export function DeletedList({ modules, failure, isFetching, onRetry }: DeletedListProps) {
  const [nowMs] = useState(Date.now)
  const isOnline = useIsOnline()
  const heading = useFocusWhenFewer(modules?.length ?? 0)
  if (modules === undefined) {
    if (failure === null) return <Skeleton className="h-32" />
    const message = `What you deleted could not be loaded. ${failure.message}`
    return <LoadFailure message={message} retryLabel="Try Again" isBusy={isFetching} onRetry={onRetry} />
  }
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="text-sm font-medium text-ink-soft focus:outline-none">
        {formatCount(modules.length)}
      </h3>
      {!isOnline && (
        <p role="status" className="mt-2 text-sm text-warn-ink">
          You are offline. Restore is back with the connection.
        </p>
      )}
      <ul className="mt-2 divide-y divide-line">
        {modules.map((module) => (
          <DeletedRow key={module.id} module={module} nowMs={nowMs} isOnline={isOnline} />
        ))}
      </ul>
    </>
  )
}

interface DeletedRowProps {
  module: DeletedModule
  nowMs: number
  isOnline: boolean
}

function DeletedRow({ module, nowMs, isOnline }: DeletedRowProps) {
  const { mutate: restore, isPending } = useRestoreModule()
  const { title, deletedAt, restorableUntil } = module
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="line-clamp-2 font-medium wrap-anywhere" title={title}>
          {title}
        </p>
        <p className="mt-0.5 text-sm text-ink-soft tabular-nums">
          Deleted {formatDate(deletedAt)}{' '}
          <span className="whitespace-nowrap">· {formatTimeLeft(Date.parse(restorableUntil) - nowMs)}</span>
        </p>
      </div>
      <Button
        variant="secondary"
        size="small"
        className="shrink-0"
        aria-label={`Restore: ${title}`}
        disabled={!isOnline}
        isBusy={isPending}
        onClick={() => restore(module)}
      >
        {!isPending && <RotateCcw aria-hidden="true" className="size-3.5" />}
        Restore
      </Button>
    </li>
  )
}

function formatCount(count: number): string {
  if (count === 0) return 'Nothing here that can be restored.'
  return count === 1 ? '1 module' : `${count} modules`
}

const DAY_MS = 24 * 60 * 60_000
/** What was deleted a moment ago, by a clock that may be a little fast, has all its days left. */
const GRACE_MS = 60 * 60_000

function formatTimeLeft(ms: number): string {
  const days = Math.floor((ms + GRACE_MS) / DAY_MS)
  if (days < 1) return 'less than a day left'
  return days === 1 ? '1 day left' : `${days} days left`
}
