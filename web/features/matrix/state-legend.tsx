import clsx from 'clsx'
import { TrainingState } from '#contract/records/training-state.ts'
import { STATE_SIGNS } from './state-signs.ts'

/** What the signs mean. */
export function StateLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-2 text-xs text-ink-soft">
      {TrainingState.options.slice(1).map((state) => {
        const { icon: Icon, tone, label } = STATE_SIGNS[state]
        return (
          <li key={state} className="inline-flex items-center gap-1.5">
            <span className={clsx('grid size-6 place-items-center rounded-chip', tone)}>
              <Icon aria-hidden="true" className="size-3.5" />
            </span>
            {label()}
          </li>
        )
      })}
    </ul>
  )
}
