import { TrainingState } from '#contract/records/training-state.ts'
import { STATE_SIGNS } from './state-signs.ts'

const idOf = (state: TrainingState) => `state-${state}`

/** Every sign once: a large table shows it thousands of times, and drawing its lines each time would take longest. */
export function StateSprite() {
  return (
    <div hidden>
      {TrainingState.options.map((state) => {
        const { icon: Icon } = STATE_SIGNS[state]
        return <Icon key={state} id={idOf(state)} />
      })}
    </div>
  )
}

/** A sign of the `StateSprite` on the same page. */
export function SpriteSign({ state }: { state: TrainingState }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-4 shrink-0">
      <use href={`#${idOf(state)}`} />
    </svg>
  )
}
