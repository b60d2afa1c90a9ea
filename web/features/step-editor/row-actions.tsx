import { ArrowDown, ArrowUp, type LucideIcon, Trash2 } from 'lucide-react'
import type { Step } from '#contract/step.ts'
import { Button } from '#web/ui/button.tsx'
import { moveButtonId } from './step-tools.tsx'

interface RowActionsProps {
  step: Step
  number: number
  count: number
  onMove: (by: -1 | 1) => void
  onDelete: () => void
}

/** What can be done to a step without opening it. */
export function RowActions({ step, number, count, onMove, onDelete }: RowActionsProps) {
  const name = `step ${number}: ${step.title}`
  return (
    <>
      <RowAction
        id={moveButtonId(step.id, -1)}
        icon={ArrowUp}
        label={`Move up ${name}`}
        isOff={number === 1}
        onPress={() => onMove(-1)}
      />
      <RowAction
        id={moveButtonId(step.id, 1)}
        icon={ArrowDown}
        label={`Move down ${name}`}
        isOff={number === count}
        onPress={() => onMove(1)}
      />
      <RowAction icon={Trash2} label={`Delete ${name}`} onPress={onDelete} />
    </>
  )
}

interface RowActionProps {
  id?: string
  icon: LucideIcon
  label: string
  isOff?: boolean
  onPress: () => void
}

function RowAction({ id, icon: Icon, label, isOff = false, onPress }: RowActionProps) {
  return (
    <Button
      id={id}
      variant="ghost"
      size="icon"
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
      className="size-8! text-ink-faint!"
    >
      <Icon aria-hidden="true" className="size-4" />
    </Button>
  )
}
