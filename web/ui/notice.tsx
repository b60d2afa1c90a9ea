import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

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
