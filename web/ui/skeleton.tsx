import clsx from 'clsx'

/** Holds the place of something whose shape is known. Give it the size of what comes. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={clsx('animate-shimmer rounded-control bg-line', className)} />
}
