import type { ReactNode } from 'react'
import { formatTime } from '#web/lib/format-time.ts'
import type { ListedStep } from './listed-step.ts'

interface CurrentStepBannerProps {
  step: ListedStep | null
  /** 1 for the first; ignored when there is no step. */
  number: number
  count: number
  /** What can be done about the step. */
  action?: ReactNode
}

/** Names what the video shows now, below the image. */
export function CurrentStepBanner({ step, number, count, action }: CurrentStepBannerProps) {
  return (
    <div className="flex min-h-14 items-center gap-3 bg-surface px-4 py-2.5">
      <span aria-hidden="true" className="h-8 w-1 shrink-0 rounded-full bg-accent" />
      {step === null ? (
        <p className="min-w-0 flex-1 text-sm text-ink-soft">
          {count === 0 ? 'The step on screen is named here.' : 'Press play, or pick a step to jump to it.'}
        </p>
      ) : (
        <div className="min-w-0 flex-1">
          <p className="text-xs font-medium text-ink-faint">
            Step {number} of {count} · {formatTime(step.start)}
          </p>
          <p className="truncate leading-snug font-semibold">{step.title}</p>
        </div>
      )}
      {action}
    </div>
  )
}
