import clsx from 'clsx'
import { type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface NoticeProps {
  icon: LucideIcon
  title: string
  /** What happened and what to do. */
  children?: ReactNode
  /** Buttons and links. */
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

/** In place of a page that broke while it was drawn. @see specification §2, error screens */
export function PageBroken() {
  return (
    <Notice
      icon={TriangleAlert}
      tone="danger"
      role="alert"
      title="Something went wrong"
      actions={<Button onClick={() => window.location.reload()}>Refresh Page</Button>}
    >
      <p>Please refresh the page and try again.</p>
    </Notice>
  )
}

interface LoadFailureProps {
  message: string
  /** What the button says; names what is loaded where several stand on one page. */
  retryLabel: string
  isBusy: boolean
  onRetry: () => void
  className?: string
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
