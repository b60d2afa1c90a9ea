import { TimeSlider } from '@videojs/react'
import clsx from 'clsx'
import { SkipBack, SkipForward } from 'lucide-react'
import { findHeading } from '#contract/chapters.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { findNextStart, findPreviousStart, findStepIndex, type PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'
import './seek-bar.css'

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

export function StepButtons({ steps, hasKeys }: { steps: readonly PlayerStep[]; hasKeys: boolean }) {
  const { toPrevious, toNext } = useStepJumps(steps)
  const isBeforeFirst = usePlayer((state) => findPreviousStart(steps, state.currentTime) === null)
  const isInLast = usePlayer((state) => findNextStart(steps, state.currentTime) === null)
  const buttons = [
    { label: m.previous_step_button(), Icon: SkipBack, key: 'ArrowLeft', isOff: isBeforeFirst, go: toPrevious },
    { label: m.next_step_button(), Icon: SkipForward, key: 'ArrowRight', isOff: isInLast, go: toNext },
  ]
  return buttons.map(({ label, Icon, key, isOff, go }) => (
    <button
      key={key}
      type="button"
      className="player-button"
      aria-label={label}
      aria-disabled={isOff}
      aria-keyshortcuts={hasKeys ? `Control+${key}` : undefined}
      onClick={go}
    >
      <Icon aria-hidden="true" fill="currentColor" />
    </button>
  ))
}

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

/** The time line with the steps and chapters on it, and what is left out. */
export function SeekBar({ steps, cuts }: { steps: readonly PlayerStep[]; cuts: Cuts }) {
  const durationS = usePlayer((state) => state.duration)
  return (
    <TimeSlider.Root className="player-slider player-seek" step={5} largeStep={30}>
      <TimeSlider.Track className="player-track">
        <TimeSlider.Buffer className="player-buffer" />
        <TimeSlider.Fill className="player-fill" />
        <StepMarks steps={steps} durationS={durationS} />
        {durationS > 0 && cuts.map((cut) => <CutMark key={cut[0]} {...{ cut, durationS }} />)}
      </TimeSlider.Track>
      <TimeSlider.Thumb className="player-thumb" />
      <TimeSlider.Preview
        className="player-preview"
        render={(preview, { pointerPercent, pointing, dragging }) => (
          <div {...preview}>
            {(pointing || dragging) && <StepPreview steps={steps} seconds={(pointerPercent / 100) * durationS} />}
            <TimeSlider.Value type="pointer" className="player-preview-time" />
          </div>
        )}
      />
    </TimeSlider.Root>
  )
}

/** A gap in the line wherever a step begins, a wider one where a chapter does. */
function StepMarks({ steps, durationS }: { steps: readonly PlayerStep[]; durationS: number }) {
  return steps.map(({ id, start }, index) =>
    start > 0 && start < durationS ? (
      <span
        key={id}
        className={clsx('player-mark', findHeading(steps, index) !== undefined && 'begins-chapter')}
        style={{ left: `${((start / durationS) * 100).toFixed(3)}%` }}
      />
    ) : null,
  )
}

function CutMark({ cut: [from, to], durationS }: { cut: Cuts[number]; durationS: number }) {
  const percent = (seconds: number) => `${((seconds / durationS) * 100).toFixed(3)}%`
  return <span className="player-cut" style={{ left: percent(from), width: percent(to - from) }} />
}

function StepPreview({ steps, seconds }: { steps: readonly PlayerStep[]; seconds: number }) {
  const index = findStepIndex(steps, seconds)
  const step = steps[index]
  if (step === undefined) return null
  const { imageUrl } = step
  return (
    <div className={clsx('player-preview-step', steps.some((each) => each.imageUrl !== undefined) && 'has-images')}>
      {imageUrl && <img src={imageUrl} alt="" />}
      {step.chapter && <span className="player-preview-title player-preview-chapter">{step.chapter}</span>}
      <span className="player-preview-title">
        {index + 1}. {step.title}
      </span>
    </div>
  )
}
