import clsx from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'
import * as m from '#messages'

/** @see specification §9, loading-slow */
const SLOW_AFTER_MS = 3_000

/** True once something has been loading for three seconds: time to say that it still is. */
export function useSlowLoading(isLoading: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  return isSlow
}

/** Decorative: put words beside it, or use {@link LoadingScreen}. */
export function Spinner({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" className={clsx('animate-spin', className)}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeOpacity="0.2" strokeWidth="3" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

/** Fills the window while nothing is known yet, but for the heading of the page that comes, where that is known. */
export function LoadingScreen({ heading }: { heading?: ReactNode }) {
  const isSlow = useSlowLoading(true)
  return (
    <>
      {heading}
      <div role="status" className="flex min-h-[70dvh] flex-1 flex-col items-center justify-center gap-4 text-ink-soft">
        <Spinner className="size-8 text-brand" />
        <div className="min-h-12 text-center text-sm">
          <p className="font-medium">{m.loading()}</p>
          {isSlow && <p className="mt-1">{m.still_loading_your_connection_may()}</p>}
        </div>
      </div>
    </>
  )
}

/** Holds the place of something whose shape is known. Give it the size of what comes. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={clsx('animate-shimmer rounded-control bg-line', className)} />
}

/** The same, announced to screen readers. */
export function LoadingSkeleton({ what, className }: { what: string; className: string }) {
  return (
    <div role="status">
      <span className="sr-only">{m.loading_what({ what })}</span>
      <Skeleton className={className} />
    </div>
  )
}

/** Below a placeholder: announces loading to screen readers, and shows a sentence after 3 s. */
export function StillLoading({ what }: { what: string }) {
  const isSlow = useSlowLoading(true)
  return (
    <p role="status" className="min-h-5 text-center text-sm text-ink-soft">
      {isSlow ? m.still_loading_what({ what }) : <span className="sr-only">{m.loading_what({ what })}</span>}
    </p>
  )
}

const HEIGHTS = { bar: 'h-2', line: 'h-1' } as const

interface ProgressProps {
  /** 0–100. */
  value: number
  label: string
  look?: keyof typeof HEIGHTS
  className?: string
}

export function Progress({ value, label, look = 'bar', className }: ProgressProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value)}
      className={clsx('w-full overflow-hidden rounded-full bg-line', HEIGHTS[look], className)}
    >
      <div
        className="h-full rounded-full bg-brand transition-[width] duration-(--motion-calm)"
        style={{ width: `${Math.min(100, Math.max(0, value))}%` }}
      />
    </div>
  )
}
