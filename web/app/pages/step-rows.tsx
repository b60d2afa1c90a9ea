import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Step } from '#contract/step.ts'
import { KeepPlace } from '#web/features/step/keep-place.tsx'
import { StepCard, useNewcomers } from '#web/features/step/step-list.tsx'
import { SortableSteps } from '#web/features/step-editor/sortable-steps.tsx'
import { isUnsaved } from '#web/features/step-editor/step-drafts.ts'
import { editButtonId } from '#web/features/step-editor/use-focus-request.ts'
import type { StepEditing } from '#web/features/step-editor/use-step-editing.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

interface StepRowsProps {
  editing: StepEditing
  currentId: string | null
  onJump: (step: Step) => void
  /** Draws the form in the place of the step that is open. */
  renderEditor: (step: Step, number: number) => ReactNode
  /** More buttons of a step that is not open. */
  renderActions?: (step: Step, number: number) => ReactNode
}

/** The list of steps for those who may change it. */
export function StepRows({ editing, currentId, onJump, renderEditor, renderActions }: StepRowsProps) {
  const { steps, openId, entries } = editing
  const isNew = useNewcomers(steps)
  function renderStep(step: Step, index: number, handle: ReactNode) {
    if (step.id === openId) return renderEditor(step, index + 1)
    const entry = entries.get(step.id)
    const hasDraft = entry !== undefined && isUnsaved(entry)
    return (
      <StepCard
        step={step}
        number={index + 1}
        isCurrent={step.id === currentId}
        isNew={isNew(step)}
        onJump={() => onJump(step)}
        badge={
          hasDraft && (
            <Badge tone="warn" className="mt-0.5">
              Unsaved
            </Badge>
          )
        }
        actions={
          <>
            <EditButton step={step} number={index + 1} onPress={() => editing.open(step)} />
            {renderActions?.(step, index + 1)}
            {handle}
          </>
        }
      />
    )
  }
  return (
    <KeepPlace>
      <p role="status" className="sr-only">
        {editing.announcement}
      </p>
      <SortableSteps steps={steps} onReorder={editing.reorder} renderStep={renderStep} />
    </KeepPlace>
  )
}

function EditButton({ step, number, onPress }: { step: Step; number: number; onPress: () => void }) {
  return (
    <Button id={editButtonId(step.id)} variant="ghost" size="small" onClick={onPress} className="px-2!">
      <Pencil aria-hidden="true" className="size-3.5" />
      Edit
      <span className="sr-only">
        {' '}
        step {number}: {step.title}
      </span>
    </Button>
  )
}
