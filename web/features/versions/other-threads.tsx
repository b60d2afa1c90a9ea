import type { ReactNode } from 'react'
import type { ReviewThread } from '#contract/review.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'

interface OtherThreadsProps {
  /** What was said of steps that are not shown above. */
  threads: readonly ReviewThread[]
  steps: readonly Pick<Step, 'id' | 'title'>[]
  renderThread: (step: Pick<Step, 'id' | 'title'>, thread: ReviewThread) => ReactNode
}

/** What owners say of steps that have not changed, or are gone. */
export function OtherThreads({ threads, steps, renderThread }: OtherThreadsProps) {
  if (threads.length === 0) return null
  return (
    <section className="grid grid-cols-1 gap-3">
      <h3 className="text-sm font-semibold">{m.comments_on_other_steps()}</h3>
      <ul className="grid grid-cols-1 gap-3">
        {threads.map((thread) => {
          const title = steps.find(({ id }) => id === thread.stepId)?.title ?? m.a_step_that_is_gone()
          return (
            <li key={thread.stepId} className="grid min-w-0 gap-2 rounded-card border border-line p-3.5 wrap-anywhere">
              <p dir="auto" className="text-sm font-semibold">
                {title}
              </p>
              {renderThread({ id: thread.stepId, title }, thread)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
