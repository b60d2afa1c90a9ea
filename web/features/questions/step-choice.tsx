import type { Step } from '#contract/step.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { FormField } from '#web/ui/form-field.tsx'
import { Select } from '#web/ui/select.tsx'

interface StepChoiceProps {
  id: string
  steps: readonly Step[]
  /** Null while none is chosen. */
  chosenId: string | null
  problem: string | undefined
  onChoose: (id: string) => void
}

/** Which step something belongs to. */
export function StepChoice({ id, steps, chosenId, problem, onChoose }: StepChoiceProps) {
  return (
    <FormField id={id} label="Step" problem={problem}>
      {(links) => (
        <Select {...links} value={chosenId ?? ''} onChange={({ target }) => onChoose(target.value)}>
          {chosenId === null && <option value="">Choose a step</option>}
          {steps.map((step, index) => (
            <option key={step.id} value={step.id}>
              {`${index + 1}. ${step.title} (${formatTime(step.start)})`}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}
