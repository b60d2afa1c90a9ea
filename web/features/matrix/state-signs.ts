import {
  CircleAlert,
  CircleCheck,
  CircleCheckBig,
  CircleDashed,
  CircleMinus,
  CirclePlay,
  Clock,
  type LucideIcon,
  RotateCcw,
  TimerOff,
} from 'lucide-react'
import type { MatrixCell } from '#contract/records/matrix.ts'
import type { TrainingState } from '#contract/records/training-state.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'

interface StateSign {
  icon: LucideIcon
  /** Colours of sign and text; each state has a sign of its own, too. */
  tone: string
  label: () => string
}

/** How each state looks and what it is called. */
export const STATE_SIGNS: Record<TrainingState, StateSign> = {
  not_assigned: { icon: CircleMinus, tone: 'text-ink-faint', label: m.state_not_assigned },
  overdue: { icon: CircleAlert, tone: 'bg-danger-soft text-danger-ink', label: m.state_overdue },
  refused: { icon: RotateCcw, tone: 'bg-danger-soft text-danger-ink', label: m.state_refused },
  expired: { icon: TimerOff, tone: 'bg-danger-soft text-danger-ink', label: m.state_expired },
  due: { icon: Clock, tone: 'bg-warn-soft text-warn-ink', label: m.state_due },
  in_progress: { icon: CirclePlay, tone: 'bg-line text-ink', label: m.state_in_progress },
  assigned: { icon: CircleDashed, tone: 'border border-line text-ink-soft', label: m.state_assigned },
  done_older: { icon: CircleCheck, tone: 'border border-line text-brand-ink', label: m.state_done_older },
  done: { icon: CircleCheckBig, tone: 'bg-brand-soft text-brand-ink', label: m.state_done },
}

/** The date that matters in a state; null where there is none. */
export function dateOf({ state, doneAt, dueAt }: MatrixCell): string | null {
  const isDone = state === 'done' || state === 'done_older'
  return (isDone ? doneAt : dueAt) ?? null
}

/** Says a state and its date. */
export function sayState(cell: MatrixCell): string {
  const { label } = STATE_SIGNS[cell.state]
  const iso = dateOf(cell)
  if (iso === null) return label()
  const date = formatDate(iso)
  switch (cell.state) {
    case 'done':
      return m.state_date_done({ date })
    case 'done_older':
      return `${label()} (${date})`
    case 'expired':
      return m.state_date_expired({ date })
    case 'overdue':
      return m.state_date_late({ date })
    default:
      return `${label()} (${m.state_date_due({ date })})`
  }
}
