import clsx from 'clsx'
import { Button } from './button.tsx'

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
