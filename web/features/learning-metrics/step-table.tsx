import type { LearningMetricsAnswer, StepMetrics } from '#contract/learning.ts'
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
export function StepTable({ metrics: { steps, learners } }: { metrics: LearningMetricsAnswer }) {
  return (
    <div
      role="region"
      aria-label="Steps in numbers"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
      tabIndex={0}
      className="mt-5 overflow-x-auto rounded-control border border-line"
    >
      <table className="w-full min-w-[36rem] border-collapse text-sm">
        <caption className="sr-only">
          What became of each step, in numbers of learners. Left here: those who have not completed the video and were
          last seen in this step.
        </caption>
        <thead className="bg-sunken text-xs text-ink-soft">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-medium">
              Step
            </th>
            {COLUMNS.map(([name, label]) => (
              <th key={name} scope="col" className="px-3 py-2 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.stepId} className="border-t border-line">
              <th scope="row" className="max-w-64 px-3 py-2 text-left font-medium wrap-anywhere">
                <span className="mr-2 text-ink-faint tabular-nums">{index + 1}</span>
                {step.title}
                <span className="block text-xs font-normal text-ink-faint tabular-nums">{formatTime(step.start)}</span>
              </th>
              {COLUMNS.map(([name]) => (
                <td key={name} className="px-3 py-2 text-right align-top tabular-nums">
                  {step[name]}
                  {SHARED.has(name) && (
                    <span className="block text-xs text-ink-faint">{Math.round((step[name] * 100) / learners)}%</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
