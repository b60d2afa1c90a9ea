import type { UseQueryResult } from '@tanstack/react-query'
import clsx from 'clsx'
import { CloudAlert, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import * as m from '#messages'
import { Button } from './button.tsx'

interface NoticeProps {
  icon: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
  tone?: 'neutral' | 'danger'
  /** `alert` for a failure that just happened. */
  role?: 'alert' | 'status'
  /** 2 where the page already has its heading. */
  level?: 1 | 2
}

/** A whole state of a page or panel: empty, failed, missing. One image, one sentence, what to do next. */
export function Notice({ icon: Icon, title, children, actions, tone = 'neutral', role, level = 1 }: NoticeProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  const iconTone = tone === 'danger' ? 'bg-danger-soft text-danger-ink' : 'bg-brand-soft text-brand-ink'
  return (
    <div
      role={role}
      className="mx-auto flex w-full max-w-lg flex-col items-center px-4 py-16 text-center wrap-anywhere"
    >
      <span className={`mb-5 inline-flex size-14 items-center justify-center rounded-2xl ${iconTone}`}>
        <Icon aria-hidden="true" className="size-7" strokeWidth={1.75} />
      </span>
      <Heading className="max-w-full text-xl font-semibold">{title}</Heading>
      {children && <div className="mt-2 max-w-full text-ink-soft">{children}</div>}
      {actions && <div className="mt-6 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  )
}

interface PageBrokenProps {
  icon?: LucideIcon
  title?: string
  children?: string
}

/** In place of a page that broke while it was drawn. @see specification §2, error screens */
export function PageBroken({
  icon = TriangleAlert,
  title = m.something_went_wrong(),
  children = m.please_refresh_and_try_again(),
}: PageBrokenProps) {
  const actions = <Button onClick={() => window.location.reload()}>{m.refresh_page()}</Button>
  return (
    <Notice tone="danger" role="alert" {...{ icon, title, actions }}>
      <p>{children}</p>
    </Notice>
  )
}

interface ListFailedProps {
  title: string
  error: Error | null
  isBusy: boolean
  onRetry: () => void
}

/** In place of a list that is most of its page. */
export function ListFailed({ title, error, isBusy, onRetry }: ListFailedProps) {
  const actions = (
    <Button isBusy={isBusy} onClick={onRetry}>
      {m.try_again_button()}
    </Button>
  )
  return (
    <Notice icon={CloudAlert} tone="danger" role="alert" level={2} {...{ title, actions }}>
      <p>{error?.message}</p>
    </Notice>
  )
}

interface LoadFailureProps {
  message: string
  /** What the button says; names what is loaded where several stand on one page. */
  retryLabel: string
  isBusy: boolean
  onRetry: () => void
  className?: string | undefined
}

/** In place of a part of a page that could not be loaded. */
export function LoadFailure({ message, retryLabel, isBusy, onRetry, className }: LoadFailureProps) {
  return (
    <div className={clsx('flex flex-wrap items-center justify-between gap-3 text-sm', className)}>
      <p role="alert" className="text-ink-soft">
        {message}
      </p>
      <Button variant="secondary" size="small" isBusy={isBusy} onClick={onRetry}>
        {retryLabel}
      </Button>
    </div>
  )
}

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'isPending' | 'isFetching' | 'refetch'>
  /** What is loaded, as in "Failed to load the timeline". */
  what: string
  retryLabel?: string
  /** Holds the place of what comes. */
  skeleton: ReactNode
  /** Of the failure. */
  className?: string
  children: (data: Data) => ReactNode
}

/** What a query has loaded; before that what holds its place, and where it failed the way to ask again. */
export function Loaded<Data>({ query, what, retryLabel, skeleton, className, children }: LoadedProps<Data>) {
  const { data, isPending, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (isPending) return skeleton
  return (
    <LoadFailure
      message={m.failed_to_load_what({ what })}
      retryLabel={retryLabel ?? m.load_what_again({ what })}
      isBusy={isFetching}
      onRetry={() => refetch()}
      className={className}
    />
  )
}
