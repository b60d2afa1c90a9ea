import { ArrowDown, ArrowUp, Combine, type LucideIcon, Scissors, Trash2 } from 'lucide-react'
import type { Step } from '#contract/step.ts'
import { formatTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { type Playhead, usePlayheadSecond } from './playhead.ts'
import { moveButtonId, type StepEditing } from './use-step-editing.ts'

interface StepToolsProps {
  stepId: string
  number: number
  playhead: Playhead
  editing: StepEditing
  /** Makes a change that takes the step as its form shows it. */
  reshape: (change: () => void) => void
}

/** What can be done to a whole step, while it is edited. */
export function StepTools({ stepId: id, number, playhead, editing, reshape }: StepToolsProps) {
  const isLast = number === editing.steps.length
  return (
    <div role="group" aria-label="Change the list" className="-mx-2 flex flex-wrap items-center gap-x-1 gap-y-1">
      <Tool id={moveButtonId(id, -1)} icon={ArrowUp} isOff={number === 1} onPress={() => editing.moveBy(id, -1)}>
        Move up
      </Tool>
      <Tool id={moveButtonId(id, 1)} icon={ArrowDown} isOff={isLast} onPress={() => editing.moveBy(id, 1)}>
        Move down
      </Tool>
      <SplitTool playhead={playhead} onPress={() => reshape(() => editing.split(id))} />
      <Tool icon={Combine} isOff={isLast} onPress={() => reshape(() => editing.merge(id))}>
        Merge with next
      </Tool>
      <Tool icon={Trash2} onPress={() => editing.remove(id)} tone="danger">
        Delete
      </Tool>
    </div>
  )
}

/** Names the moment of the split, so that the editor need not look up at the video. */
function SplitTool({ playhead, onPress }: { playhead: Playhead; onPress: () => void }) {
  const second = usePlayheadSecond(playhead)
  return (
    <Tool icon={Scissors} isOff={second === null} onPress={onPress}>
      Split at playhead {second !== null && <span className="tabular-nums">({formatTime(second)})</span>}
    </Tool>
  )
}

interface ToolProps {
  id?: string
  icon: LucideIcon
  isOff?: boolean
  tone?: 'quiet' | 'danger'
  onPress: () => void
  children: React.ReactNode
}

/** Keeps the focus while disabled, so that it is not lost when a step is moved to the top by keyboard. */
function Tool({ id, icon: Icon, isOff = false, tone = 'quiet', onPress, children }: ToolProps) {
  return (
    <Button
      id={id}
      variant="ghost"
      size="small"
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
      className={tone === 'danger' ? 'px-2! text-danger-ink! hover:bg-danger-soft!' : 'px-2!'}
    >
      <Icon aria-hidden="true" className="size-4" />
      <span>{children}</span>
    </Button>
  )
}

interface RowActionsProps {
  step: Step
  number: number
  editing: StepEditing
}

/** What can be done to a step without opening it. */
export function RowActions({ step, number, editing }: RowActionsProps) {
  const name = `step ${number}: ${step.title}`
  return (
    <>
      <RowAction
        id={moveButtonId(step.id, -1)}
        icon={ArrowUp}
        label={`Move up ${name}`}
        isOff={number === 1}
        onPress={() => editing.moveBy(step.id, -1)}
      />
      <RowAction
        id={moveButtonId(step.id, 1)}
        icon={ArrowDown}
        label={`Move down ${name}`}
        isOff={number === editing.steps.length}
        onPress={() => editing.moveBy(step.id, 1)}
      />
      <RowAction icon={Trash2} label={`Delete ${name}`} onPress={() => editing.remove(step.id)} />
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
