import type { LearningMetricsAnswer, StepMetrics } from '#contract/learning.ts'
import { formatCount } from '#web/lib/format-count.ts'
import { formatTime } from '#web/lib/format-time.ts'

const COLUMNS = [
  ['reached', 'Reached'],
  ['finished', 'Finished'],
  ['rewatched', 'Rewatched'],
  ['left', 'Left here'],
  ['questions', 'Questions'],
] as const satisfies readonly (readonly [keyof StepMetrics, string])[]

/** Of these everybody could be one, so their share says more than their number. */
const SHARED: ReadonlySet<string> = new Set(['reached', 'finished'])

/** What became of each step, in numbers of learners. */
export function StepTable({ metrics: { steps, learners, isCounting } }: { metrics: LearningMetricsAnswer }) {
  return (
    <>
      <div
        role="region"
        aria-label="Steps in numbers"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
        tabIndex={0}
        className="mt-5 overflow-x-auto rounded-control border border-line"
      >
        <table className="w-full min-w-[31rem] border-separate border-spacing-0 text-sm">
          <caption className="sr-only">What became of each step, in numbers of learners.</caption>
          <thead className="text-xs text-ink-soft">
            <tr>
              <th scope="col" className={`${FIRST} bg-sunken py-2 text-left font-medium`}>
                Step
              </th>
              {COLUMNS.map(([name, label]) => (
                <th
                  key={name}
                  scope="col"
                  className="bg-sunken px-2 py-2 text-right font-medium whitespace-nowrap last:pr-3"
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step, index) => (
              <StepRow key={step.stepId} step={step} number={index + 1} learners={learners} />
            ))}
          </tbody>
        </table>
      </div>
      {isCounting && (
        <p role="status" className="mt-2 text-xs text-ink-soft">
          Steps were changed. Their numbers are being counted and are still growing.
        </p>
      )}
      <p className="mt-2 text-xs text-ink-faint">
        Left here: learners who have not completed the video and were last seen in this step.
      </p>
    </>
  )
}

/** Stays in sight while the numbers are scrolled on a narrow screen, and leaves room for some of them. */
const FIRST = 'sticky left-0 w-34 min-w-34 px-3 @md:w-auto @md:min-w-48'

function StepRow({ step, number, learners }: { step: StepMetrics; number: number; learners: number }) {
  return (
    <tr>
      <th
        scope="row"
        className={`${FIRST} border-t border-line bg-surface py-2 text-left font-medium hyphens-auto wrap-anywhere`}
      >
        <span className="line-clamp-4 @md:line-clamp-none">
          <span className="mr-2 text-ink-faint tabular-nums">{number}</span>
          {step.title}
        </span>
        <span className="block text-xs font-normal text-ink-faint tabular-nums">{formatTime(step.start)}</span>
      </th>
      {COLUMNS.map(([name]) => (
        <td key={name} className="border-t border-line px-2 py-2 text-right align-top tabular-nums last:pr-3">
          {formatCount(step[name])}
          {SHARED.has(name) && (
            <span className="block text-xs text-ink-faint">{Math.round((step[name] * 100) / learners)}%</span>
          )}
        </td>
      ))}
    </tr>
  )
}
