import { TimeSlider } from '@videojs/react'
import clsx from 'clsx'
import { useState } from 'react'
import { findStepIndex, type PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'
import './seek-bar.css'

/** The time line with the steps as its chapters. */
export function SeekBar({ steps }: { steps: readonly PlayerStep[] }) {
  const durationS = usePlayer((state) => state.duration)
  return (
    <TimeSlider.Root className="player-slider player-seek" step={5} largeStep={30}>
      <TimeSlider.Track className="player-track">
        <TimeSlider.Buffer className="player-buffer" />
        <TimeSlider.Fill className="player-fill" />
        <StepMarks steps={steps} durationS={durationS} />
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

/** A gap in the line wherever a step begins. */
function StepMarks({ steps, durationS }: { steps: readonly PlayerStep[]; durationS: number }) {
  if (!(durationS > 0)) return null
  return steps.map(
    ({ id, start }) =>
      start > 0 &&
      start < durationS && (
        <span key={id} className="player-mark" style={{ left: `${((start / durationS) * 100).toFixed(3)}%` }} />
      ),
  )
}

/** What the step at a moment is called and looks like. */
function StepPreview({ steps, seconds }: { steps: readonly PlayerStep[]; seconds: number }) {
  const index = findStepIndex(steps, seconds)
  const step = steps[index]
  const [missing, setMissing] = useState<ReadonlySet<string>>(() => new Set())
  if (step === undefined) return null
  const { imageUrl } = step
  return (
    <div className={clsx('player-preview-step', steps.some((each) => each.imageUrl !== undefined) && 'has-images')}>
      {imageUrl !== undefined && !missing.has(imageUrl) && (
        <img src={imageUrl} alt="" onError={() => setMissing((before) => new Set([...before, imageUrl]))} />
      )}
      <span className="player-preview-title">
        {index + 1}. {step.title}
      </span>
    </div>
  )
}
