import { Monitor, NotebookPen, Play } from 'lucide-react'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'

interface MomentChipProps {
  start: number
  /** Number of the step whose note is cited; the chip leads to the start of the step. */
  noteOfStep?: number
  /** Whether it was read from the screen. */
  isOnScreen?: boolean
  /** What is there, for a chip that stands alone. */
  title?: string
  onPlay: (seconds: number) => void
}

/** Leads to a moment of the video. */
export function MomentChip({ start, noteOfStep, isOnScreen = false, title, onPlay }: MomentChipProps) {
  const time = formatTime(start)
  const source =
    noteOfStep !== undefined
      ? { icon: NotebookPen, says: m.trainers_note_step({ number: noteOfStep }) }
      : isOnScreen
        ? { icon: Monitor, says: m.on_screen_at_time({ time }) }
        : undefined
  const named = title ?? source?.says
  const Icon = source?.icon ?? Play
  return (
    <button
      type="button"
      aria-label={named === undefined ? m.play_from_time({ time }) : m.play_from_time_title({ time, title: named })}
      onClick={() => onPlay(start)}
      className={`inline-flex min-h-6 max-w-full items-center gap-1 rounded-chip bg-brand-soft px-1.5 text-xs font-medium text-brand-ink tabular-nums hover:bg-brand hover:text-on-brand ${title === undefined ? 'ms-1 align-baseline' : 'py-1'}`}
    >
      <Icon aria-hidden="true" className="size-3 shrink-0" fill={source === undefined ? 'currentColor' : 'none'} />
      {source?.says ?? time}
      {/* The space is in its name, too. */}
      {title !== undefined && <span className="truncate font-normal"> {title}</span>}
    </button>
  )
}
