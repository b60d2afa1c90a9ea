import { useHotkey } from '@videojs/react'
import { SkipBack, SkipForward } from 'lucide-react'
import { findNextStart, findPreviousStart, findStepIndex, type PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'

/** Ways to the steps around the one that plays. */
export function useStepJumps(steps: readonly PlayerStep[]) {
  const store = usePlayer()
  function go(to: number | null) {
    if (to !== null) void store.seek(to)
  }
  // Read at the press: a held key repeats faster than the player draws.
  return {
    toPrevious: () => go(findPreviousStart(steps, store.currentTime)),
    toNext: () => go(findNextStart(steps, store.currentTime)),
  }
}

interface StepButtonsProps {
  steps: readonly PlayerStep[]
  hasKeys: boolean
}

export function StepButtons({ steps, hasKeys }: StepButtonsProps) {
  const { toPrevious, toNext } = useStepJumps(steps)
  const isBeforeFirst = usePlayer((state) => findPreviousStart(steps, state.currentTime) === null)
  const isInLast = usePlayer((state) => findNextStart(steps, state.currentTime) === null)
  return (
    <>
      <button
        type="button"
        className="player-button"
        aria-label="Previous step"
        aria-disabled={isBeforeFirst}
        aria-keyshortcuts={hasKeys ? 'Control+ArrowLeft' : undefined}
        onClick={toPrevious}
      >
        <SkipBack aria-hidden="true" fill="currentColor" />
      </button>
      <button
        type="button"
        className="player-button"
        aria-label="Next step"
        aria-disabled={isInLast}
        aria-keyshortcuts={hasKeys ? 'Control+ArrowRight' : undefined}
        onClick={toNext}
      >
        <SkipForward aria-hidden="true" fill="currentColor" />
      </button>
    </>
  )
}

/** Named beside the time. */
export function CurrentStepName({ steps }: { steps: readonly PlayerStep[] }) {
  const index = usePlayer((state) => findStepIndex(steps, state.currentTime))
  const step = steps[index]
  if (step === undefined) return <span className="grow" />
  return (
    <span className="player-step" title={step.title}>
      {index + 1}. {step.title}
    </span>
  )
}

export function useStepKeys(steps: readonly PlayerStep[]): void {
  const { toPrevious, toNext } = useStepJumps(steps)
  useHotkey({ keys: 'Ctrl+ArrowLeft', onActivate: toPrevious })
  useHotkey({ keys: 'Ctrl+ArrowRight', onActivate: toNext })
}
