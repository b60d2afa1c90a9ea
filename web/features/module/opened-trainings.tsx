import type { UseQueryResult } from '@tanstack/react-query'
import { CircleCheck, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { Done, type EditedModule, type OpenedListAnswer, type OpenedModule } from '#contract/module.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { OPENED_KEY } from '#web/lib/module-cache.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { ModulePoster } from './module-card.tsx'
import { openedPath } from './module-queries.ts'
import { ShowAllButton } from './show-all-button.tsx'

/** One row on a wide screen, so that a trainer's own modules stay in sight. */
const SHOWN_AT_FIRST = 3

/** Trainings of others that the person opened or edits; nothing for a person who does neither. */
export function OpenedTrainings({ query }: { query: UseQueryResult<OpenedListAnswer> }) {
  const { data, failureReason } = query
  if (data === undefined) {
    if (failureReason === null) return null
    const message = m.opened_trainings_not_loaded({ reason: failureReason.message })
    const retry = { retryLabel: m.retry_loading_trainings(), isBusy: query.isFetching, onRetry: () => query.refetch() }
    return <LoadFailure className="mb-8" message={message} {...retry} />
  }
  return (
    <>
      <EditedTrainings modules={data.edited} />
      <OpenedList modules={data.modules} />
    </>
  )
}

function OpenedList({ modules }: { modules: readonly OpenedModule[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const { mutate: remove } = useRemoveOpened()
  const heading = useFocusWhenFewer(modules.length)
  if (modules.length === 0) return null
  const isCut = modules.length > SHOWN_AT_FIRST
  return (
    <section aria-labelledby="opened-trainings" className="mb-10">
      <div className="flex min-h-8 items-center justify-between gap-4">
        <h2 id="opened-trainings" ref={heading} tabIndex={-1} className="text-lg font-semibold focus:outline-none">
          {m.trainings_you_opened()}
        </h2>
        {isCut && <ShowAllButton isWhole={isWhole} count={modules.length} onChange={setIsWhole} />}
      </div>
      <ul className="mt-3 grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        {(isWhole ? modules : modules.slice(0, SHOWN_AT_FIRST)).map((module) => (
          <li key={module.id}>
            <OpenedCard module={module} onRemove={() => remove(module)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the person was invited to edit. */
function EditedTrainings({ modules }: { modules: readonly EditedModule[] }) {
  const [left, setLeft] = useState<EditedModule | null>(null)
  const { mutate: leave } = useRemoveOpened()
  const heading = useFocusWhenFewer(modules.length)
  if (modules.length === 0) return null
  return (
    <section aria-labelledby="edited-trainings" className="mb-10">
      <h2 id="edited-trainings" ref={heading} tabIndex={-1} className="text-lg font-semibold focus:outline-none">
        {m.trainings_you_edit()}
      </h2>
      <ul className="mt-3 grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        {modules.map((module) => (
          <li key={module.id}>
            <TrainingCard
              module={module}
              removeLabel={m.stop_editing_titled({ title: module.title })}
              onRemove={() => setLeft(module)}
            >
              {module.totalDuration !== null && (
                <p className="text-sm text-ink-faint tabular-nums">{formatTime(module.totalDuration)}</p>
              )}
            </TrainingCard>
          </li>
        ))}
      </ul>
      <AlertDialog
        isOpen={left !== null}
        onOpenChange={(isOpen) => !isOpen && setLeft(null)}
        title={m.stop_editing_titled({ title: left?.title ?? '' })}
        description={m.you_need_another_invitation()}
        confirmLabel={m.stop_editing()}
        onConfirm={() => left && leave(left)}
      />
    </section>
  )
}

function OpenedCard({ module, onRemove }: { module: OpenedModule; onRemove: () => void }) {
  const { title, openedAt } = module
  return (
    <TrainingCard {...{ module, onRemove }} removeLabel={m.remove_from_list_titled({ title })}>
      <p className="text-sm text-ink-faint tabular-nums">{m.opened_on({ date: formatDate(openedAt) })}</p>
      <SeenPart module={module} />
    </TrainingCard>
  )
}

interface TrainingCardProps {
  module: EditedModule
  removeLabel: string
  onRemove: () => void
  children: ReactNode
}

function TrainingCard({ module, removeLabel, onRemove, children }: TrainingCardProps) {
  const { title, trainingUrl, posterUrl } = module
  return (
    <Card className="flex h-full gap-3 p-3 transition-shadow duration-200 hover:shadow-lift">
      {/* For the pointer only: keyboards and screen readers use the link in the title. */}
      <Link to={trainingUrl} tabIndex={-1} aria-hidden="true" className="shrink-0 self-start">
        <ModulePoster posterUrl={posterUrl} className="aspect-video w-28 rounded-control border border-line" />
      </Link>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className="leading-snug font-semibold wrap-anywhere" title={title}>
          <Link dir="auto" to={trainingUrl} className="line-clamp-2 rounded-chip hover:underline">
            {title}
          </Link>
        </h3>
        {children}
      </div>
      <Button
        variant="ghost"
        size="small"
        className="-mt-1 -me-1 w-8 pointer-coarse:w-11 shrink-0 px-0!"
        aria-label={removeLabel}
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </Button>
    </Card>
  )
}

function SeenPart({ module: { title, seenSeconds, totalDuration, completedAt } }: { module: OpenedModule }) {
  if (completedAt !== null) {
    return (
      <p className="mt-auto flex items-center gap-1.5 text-sm font-medium text-brand-ink">
        <CircleCheck aria-hidden="true" className="size-4" />
        {m.completed_state()}
      </p>
    )
  }
  if (totalDuration === null || totalDuration === 0) return null
  const percent = Math.min(100, Math.floor((100 * seenSeconds) / totalDuration))
  return (
    <div className="mt-auto flex items-center gap-2.5">
      <Progress value={percent} label={m.seen_of({ title })} look="line" />
      <span className="shrink-0 text-sm text-ink-soft tabular-nums">{m.percent_seen({ percent })}</span>
    </div>
  )
}

/** Takes a training off the list at once, and puts it back if the server does not agree. */
function useRemoveOpened() {
  const callApi = useApi()
  return useOptimisticMutation({
    mutationFn: ({ id }: EditedModule) => callApi({ path: openedPath(id), method: 'DELETE', schema: Done }),
    edits: ({ id }) => [
      makeEdit<OpenedListAnswer>(OPENED_KEY, ({ modules, edited, ...answer }) => {
        const isOther = (one: EditedModule) => one.id !== id
        return { ...answer, modules: modules.filter(isOther), edited: edited.filter(isOther) }
      }),
    ],
    stale: () => [OPENED_KEY],
    failure: m.failed_to_remove_training(),
  })
}
