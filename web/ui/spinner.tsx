import clsx from 'clsx'
import { useSlowLoading } from '#web/lib/use-slow-loading.ts'

/** Decorative: put words beside it, or use {@link LoadingScreen}. */
export function Spinner({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" className={clsx('animate-spin', className)}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeOpacity="0.2" strokeWidth="3" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

/** Fills the window while nothing is known yet. */
export function LoadingScreen() {
  const isSlow = useSlowLoading(true)
  return (
    <div role="status" className="flex min-h-[70dvh] flex-1 flex-col items-center justify-center gap-4 text-ink-soft">
      <Spinner className="size-8 text-brand" />
      <div className="min-h-12 text-center text-sm">
        <p className="font-medium">Loading</p>
        {isSlow && <p className="mt-1">Still loading. Your connection may be slow.</p>}
      </div>
    </div>
  )
}
