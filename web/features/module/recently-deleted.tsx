import { queryOptions, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { RESTORABLE_DAYS } from '#contract/limits.ts'
import { DeletedListAnswer, type DeletedModule, Done, type Module } from '#contract/module.ts'
import { DAY_MS } from '#contract/time/day.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { useIsOnline } from '#web/lib/browser-state.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { AT_WORK_KEY, DELETED_KEY, dropModule, MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { showUndo } from '#web/ui/toast.tsx'

function deletedQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: DELETED_KEY,
    queryFn: async ({ signal }): Promise<DeletedModule[]> =>
      (await callApi({ path: '/api/modules/deleted', schema: DeletedListAnswer, signal })).modules,
  })
}

/** The way to what was deleted; there is none while there is nothing. */
export function RecentlyDeleted() {
  const [isOpen, setIsOpen] = useState(false)
  const deleted = useQuery(deletedQuery(useApi()))
  const count = deleted.data?.length ?? 0
  if (count === 0 && !deleted.isError && !isOpen) return null
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        {/* Where there is little room, the image and the number say it. */}
        <span className="max-sm:sr-only">{m.recently_deleted()}</span>
        {count > 0 && <span className="text-ink-faint tabular-nums">{count}</span>}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={m.recently_deleted()}
        description={m.deleted_restorable_for({ count: RESTORABLE_DAYS })}
      >
        <DeletedList query={deleted} />
      </Dialog>
    </>
  )
}

function DeletedList({ query }: { query: UseQueryResult<DeletedModule[]> }) {
  const { data: modules, error, isFetching } = query
  const [nowMs] = useState(Date.now)
  const isOnline = useIsOnline()
  const heading = useFocusWhenFewer(modules?.length ?? 0)
  if (modules === undefined) {
    if (error === null) return <Skeleton className="h-32" />
    const message = m.deleted_not_loaded({ reason: error.message })
    return (
      <LoadFailure
        message={message}
        retryLabel={m.try_again_button()}
        isBusy={isFetching}
        onRetry={() => query.refetch()}
      />
    )
  }
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="text-sm font-medium text-ink-soft focus:outline-none">
        {formatCount(modules.length)}
      </h3>
      {!isOnline && (
        <p role="status" className="mt-2 text-sm text-warn-ink">
          {m.offline_restore_is_back()}
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

function DeletedRow({ module, nowMs, isOnline }: { module: DeletedModule; nowMs: number; isOnline: boolean }) {
  const { mutate: restore, isPending } = useRestoreModule()
  const { title, deletedAt, restorableUntil } = module
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p dir="auto" className="line-clamp-2 font-medium wrap-anywhere" title={title}>
          {title}
        </p>
        <p className="mt-0.5 text-sm text-ink-soft tabular-nums">
          {m.deleted_on({ date: formatDate(deletedAt) })}{' '}
          <span className="whitespace-nowrap">· {formatTimeLeft(Date.parse(restorableUntil) - nowMs)}</span>
        </p>
      </div>
      <Button
        variant="secondary"
        size="small"
        className="shrink-0"
        aria-label={m.restore_titled({ title })}
        disabled={!isOnline}
        isBusy={isPending}
        onClick={() => restore(module)}
      >
        {!isPending && <RotateCcw aria-hidden="true" className="size-3.5" />}
        {m.restore_action()}
      </Button>
    </li>
  )
}

function formatCount(count: number): string {
  return count === 0 ? m.nothing_can_be_restored() : m.module_count({ count })
}

/** What was deleted a moment ago, by a clock that may be a little fast, has all its days left. */
const GRACE_MS = 60 * 60_000

function formatTimeLeft(ms: number): string {
  const days = Math.floor((ms + GRACE_MS) / DAY_MS)
  return days < 1 ? m.less_than_day_left() : m.days_left({ count: days })
}

/** Hides the module at once, shows it again if the server does not agree, and offers to take it back. */
export function useDeleteModule() {
  const callApi = useApi()
  const { mutate: restore } = useRestoreModule()
  return useOptimisticMutation({
    mutationFn: ({ id }: Module) =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}`, method: 'DELETE', schema: Done }),
    edits: ({ id }) => [dropModule(id)],
    onSuccess: (_, module) => {
      showUndo(m.module_was_deleted({ title: module.title }), () => restore(module))
    },
    stale: () => [AT_WORK_KEY, DELETED_KEY],
    failure: m.failed_to_delete_module(),
  })
}

/** Brings a deleted module back. Where it stands among the others is for the server to say. */
function useRestoreModule() {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<DeletedModule, 'id' | 'title'>) =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}/restore`, method: 'POST', schema: Done }),
    onSuccess: (_, { id, title }) => {
      queryClient.setQueryData<DeletedModule[]>(DELETED_KEY, (modules) => modules?.filter((one) => one.id !== id))
      void queryClient.invalidateQueries({ queryKey: moduleKey(id) })
      toast.success(m.module_is_back({ title }))
      return queryClient.invalidateQueries({ queryKey: MODULES_KEY })
    },
    onError: (error) => toast.error(m.failed_to_restore_module(), { description: error.message }),
  })
}
