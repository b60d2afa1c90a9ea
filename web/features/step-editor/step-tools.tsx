import { ArrowDown, ArrowUp, Combine, type LucideIcon, Scissors, Trash2 } from 'lucide-react'
import type { Step } from '#contract/step.ts'
import { formatTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { type Playhead, usePlayheadSecond } from './playhead.ts'

export interface StepToolsProps {
  stepId: string
  title: string
  isFirst: boolean
  isLast: boolean
  playhead: Playhead
  onMove: (by: -1 | 1) => void
  onSplit: () => void
  onMerge: () => void
  onDelete: () => void
}

/** What can be done to a whole step, while it is edited. */
export function StepTools({ stepId, isFirst, isLast, playhead, ...on }: StepToolsProps) {
  return (
    <div role="group" aria-label="Change the list" className="-mx-2 flex flex-wrap items-center gap-x-1 gap-y-1">
      <Tool id={moveButtonId(stepId, -1)} icon={ArrowUp} isOff={isFirst} onPress={() => on.onMove(-1)}>
        Move up
      </Tool>
      <Tool id={moveButtonId(stepId, 1)} icon={ArrowDown} isOff={isLast} onPress={() => on.onMove(1)}>
        Move down
      </Tool>
      <SplitTool playhead={playhead} onPress={on.onSplit} />
      <Tool icon={Combine} isOff={isLast} onPress={on.onMerge}>
        Merge with next
      </Tool>
      <Tool icon={Trash2} onPress={on.onDelete} tone="danger">
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

export function moveButtonId(stepId: string, by: -1 | 1): string {
  return `move-${by === -1 ? 'up' : 'down'}-${stepId}`
}

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
