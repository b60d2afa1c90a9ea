import type { Step } from '#contract/step.ts'
import { formatTime } from '#web/lib/format/format-time.ts'

/** The steps of a training, for a field that names one of them. */
export function StepOptions({ steps }: { steps: readonly Step[] }) {
  return steps.map(({ id, title, start }, index) => (
    <option key={id} value={id}>
      {`${index + 1}. ${title} (${formatTime(start)})`}
    </option>
  ))
}
