import { Play } from 'lucide-react'
import { formatTime } from '#web/lib/format-time.ts'

interface MomentChipProps {
  start: number
  /** What is there, for a chip that stands alone. */
  title?: string
  onPlay: (seconds: number) => void
}

/** A moment of the video that can be pressed. */
export function MomentChip({ start, title, onPlay }: MomentChipProps) {
  const time = formatTime(start)
  return (
    <button
      type="button"
      aria-label={title === undefined ? `Play from ${time}` : `Play from ${time}: ${title}`}
      onClick={() => onPlay(start)}
      className={`inline-flex min-h-6 max-w-full items-center gap-1 rounded-chip bg-brand-soft px-1.5 text-xs font-medium text-brand-ink tabular-nums hover:bg-brand hover:text-on-brand ${title === undefined ? 'ml-1 align-baseline' : 'py-1'}`}
    >
      <Play aria-hidden="true" className="size-3 shrink-0" fill="currentColor" />
      {time}
      {title !== undefined && <span className="truncate font-normal">{title}</span>}
    </button>
  )
}
