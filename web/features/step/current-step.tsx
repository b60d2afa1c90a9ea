import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import type { ListedStep } from './step-list.tsx'

/** Follows the playback without drawing the page for every tick of the clock: only a change of step does. */
export function useCurrentStep(steps: readonly ListedStep[], startAtS: number) {
  const ordered = useMemo(() => steps.toSorted((a, b) => a.start - b.start), [steps])
  const timeS = useRef(startAtS)
  const [current, setCurrent] = useState<ListedStep | null>(() => findCurrentStep(ordered, startAtS))

  useEffect(() => setCurrent(findCurrentStep(ordered, timeS.current)), [ordered])

  function noteTime(seconds: number) {
    timeS.current = seconds
    setCurrent(findCurrentStep(ordered, seconds))
  }
  return { current, noteTime, getTimeS: () => timeS.current }
}

/**
 * A seek to a step lands up to a frame before it (browsers round to the nearest decodable time), and the step that
 * was clicked must be the one that lights up.
 */
const SEEK_SLACK_S = 0.1

/**
 * Which step a moment belongs to: the one that started last. Before the first step there is none (null); between two
 * steps and after the last it stays with the step that was just shown.
 * @param orderedSteps by `start`, as the server sends them
 */
export function findCurrentStep<S extends { start: number }>(orderedSteps: readonly S[], timeS: number): S | null {
  return orderedSteps.findLast((step) => step.start <= timeS + SEEK_SLACK_S) ?? null
}

interface CurrentStepBannerProps {
  step: ListedStep | null
  /** 1 for the first; ignored when there is no step. */
  number: number
  count: number
  /** Said of the step beside its title, where that leaves room for it. */
  badge?: ReactNode
  action?: ReactNode
}

/** Names what the video shows now, below the image. */
export function CurrentStepBanner({ step, number, count, badge, action }: CurrentStepBannerProps) {
  return (
    <div className="flex min-h-14 items-center gap-3 bg-surface px-4 py-2.5">
      <span aria-hidden="true" className="h-8 w-1 shrink-0 rounded-full bg-accent" />
      {step === null ? (
        <p className="min-w-0 flex-1 text-sm text-ink-soft">
          {count === 0 ? m.the_step_on_screen_is() : m.press_play_or_pick_a()}
        </p>
      ) : (
        <div className="min-w-0 flex-1">
          <p className="truncate text-xs font-medium text-ink-faint">
            {m.step_number_of_count_start({ number, count, start: formatTime(step.start) })}
            {step.chapter && ` · ${step.chapter}`}
          </p>
          <p className="truncate leading-snug font-semibold">{step.title}</p>
        </div>
      )}
      {/* On a phone, its place is the title's: the list of the steps says the same. */}
      {badge && <div className="flex shrink-0 items-center gap-3 max-[30rem]:hidden">{badge}</div>}
      {action}
    </div>
  )
}
