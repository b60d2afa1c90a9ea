import clsx from 'clsx'
import { useId } from 'react'
import type { LearningMetricsAnswer } from '#contract/learning.ts'
import * as m from '#messages'
import { formatCount } from '#web/lib/format/format-number.ts'
import { formatTime } from '#web/lib/format/format-time.ts'

interface LearningCurveProps {
  metrics: LearningMetricsAnswer
  /** Length of the video, seconds. */
  durationS: number
}

/** How many learners have seen each moment of the video, above its steps. The table says the same in numbers. */
export function LearningCurve({ metrics: { curve, learners, steps }, durationS }: LearningCurveProps) {
  const id = useId()
  const most = Math.max(1, learners)
  const toPercent = (seconds: number) => Math.min(100, (seconds * 100) / durationS)
  return (
    <figure className="mt-5">
      <figcaption className="flex justify-between gap-4 text-sm">
        <span className="font-medium">{m.who_has_seen_which_part()}</span>
        <span className="text-end text-ink-faint tabular-nums">
          {m.learner_count({ count: most, shown: formatCount(most) })}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-labelledby={id}
        viewBox={`0 0 ${CURVE_BOX.width} ${CURVE_BOX.height}`}
        preserveAspectRatio="none"
        className={clsx(
          'mt-2 block h-32 w-full overflow-hidden border border-line bg-sunken',
          steps.length > 0 ? 'rounded-t-control' : 'rounded-control',
        )}
      >
        <title id={id}>{m.how_many_learners_have_seen()}</title>
        {steps.map(({ stepId, start }) => (
          <line
            key={stepId}
            x1={toPercent(start) * 10}
            x2={toPercent(start) * 10}
            y1={0}
            y2={CURVE_BOX.height}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        <path
          d={drawCurvePath(curve.learners, most)}
          vectorEffect="non-scaling-stroke"
          className="fill-brand/25 stroke-brand"
        />
      </svg>
      {steps.length > 0 && <StepNumbers steps={steps} toPercent={toPercent} />}
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-faint tabular-nums">
        <span>{formatTime(0)}</span>
        <span>{formatTime(durationS)}</span>
      </div>
    </figure>
  )
}

/** Which step is where. A number shows where there is room for all of it. */
function StepNumbers({
  steps,
  toPercent,
}: Pick<LearningMetricsAnswer, 'steps'> & { toPercent: (seconds: number) => number }) {
  return (
    <div aria-hidden="true" className="relative h-6 overflow-hidden rounded-b-control border border-t-0 border-line">
      {steps.map(({ stepId, title, start, end }, index) => (
        <span
          key={stepId}
          title={`${formatTime(start)} ${title}`}
          className="@container absolute inset-y-0 border-s border-line bg-brand-soft text-center text-xs leading-6 font-semibold text-brand-ink tabular-nums first:border-s-0"
          style={{ left: `${toPercent(start)}%`, width: `${toPercent(end) - toPercent(start)}%` }}
        >
          <span className="hidden @min-[1.25rem]:inline">{index + 1}</span>
        </span>
      ))}
    </div>
  )
}

/** The coordinates of a curve, which its SVG scales to the width of the page. */
const CURVE_BOX = { width: 1000, height: 100 } as const

/**
 * The outline of a curve of equally long pieces, as steps: a piece is a number of learners, and nothing is known of what
 * lies between two.
 * @param most what reaches to the top
 */
export function drawCurvePath(learners: readonly number[], most: number): string {
  const { width, height } = CURVE_BOX
  const x = (piece: number) => round((piece * width) / Math.max(1, learners.length))
  const y = (count: number) => round(height - (count * height) / Math.max(1, most))
  const corners = learners.map((count, piece) => `V${y(count)}H${x(piece + 1)}`)
  return `M0 ${height}${corners.join('')}V${height}Z`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
