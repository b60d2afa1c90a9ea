import clsx from 'clsx'

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
