import { ArrowDown, ArrowUp, Combine, Heading, type LucideIcon, Scissors, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { findHeading } from '#contract/chapters.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { type Playhead, usePlayheadSecond } from './playhead.ts'
import { chapterButtonId, moveButtonId, type StepEditing } from './use-step-editing.ts'

interface StepToolsProps {
  stepId: string
  number: number
  playhead: Playhead
  editing: StepEditing
  /** Makes a change that takes the step as its form shows it. */
  reshape: (change: () => void) => void
}

/** Actions on a whole step while it is edited. */
export function StepTools({ stepId: id, number, playhead, editing, reshape }: StepToolsProps) {
  const isLast = number === editing.steps.length
  const isHeaded = typeof findHeading(editing.steps, number - 1) === 'string'
  return (
    <div role="group" aria-label={m.change_the_list()} className="-mx-2 flex flex-wrap items-center gap-x-1 gap-y-1">
      {listMoves(id, number, editing).map(({ name, ...move }) => (
        <Tool key={name} {...move}>
          <span>{name}</span>
        </Tool>
      ))}
      <SplitTool playhead={playhead} onPress={() => reshape(() => editing.split(id))} />
      <Tool icon={Combine} isOff={isLast} onPress={() => reshape(() => editing.merge(id))}>
        <span>{m.merge_with_next()}</span>
      </Tool>
      {!isHeaded && (
        <Tool id={chapterButtonId(id)} icon={Heading} onPress={() => editing.nameChapter(id)}>
          <span>{m.begin_a_chapter()}</span>
        </Tool>
      )}
      <Tool icon={Trash2} onPress={() => editing.remove(id)} className="px-2! text-danger-ink! hover:bg-danger-soft!">
        <span>{m.delete_action()}</span>
      </Tool>
    </div>
  )
}

function listMoves(id: string, number: number, { steps, moveBy }: StepEditing) {
  const moves = [
    { name: m.move_up(), icon: ArrowUp, by: -1, isOff: number === 1 },
    { name: m.move_down(), icon: ArrowDown, by: 1, isOff: number === steps.length },
  ] as const
  return moves.map(({ by, ...move }) => ({ ...move, id: moveButtonId(id, by), onPress: () => moveBy(id, by) }))
}

/** Names the moment of the split, so that the editor need not look up at the video. */
function SplitTool({ playhead, onPress }: { playhead: Playhead; onPress: () => void }) {
  const second = usePlayheadSecond(playhead)
  return (
    <Tool icon={Scissors} isOff={second === null} onPress={onPress}>
      <span>
        {m.split_at_playhead()} {second !== null && <span className="tabular-nums">({formatTime(second)})</span>}
      </span>
    </Tool>
  )
}

interface ToolProps extends ComponentProps<typeof Button> {
  icon: LucideIcon
  isOff?: boolean
  onPress: () => void
}

/** Keeps the focus while disabled, so that it is not lost when a step is moved to the top by keyboard. */
function Tool({ icon: Icon, isOff = false, onPress, children, ...button }: ToolProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      className="px-2!"
      {...button}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
    >
      <Icon aria-hidden="true" className="size-4" />
      {children}
    </Button>
  )
}

/** Actions on a step that is not open. */
export function RowActions({ step, number, editing }: { step: Step; number: number; editing: StepEditing }) {
  const { id, title } = step
  const remove = { name: m.delete_action(), icon: Trash2, onPress: () => editing.remove(id) }
  return [...listMoves(id, number, editing), remove].map(({ name, ...action }) => (
    <Tool
      key={name}
      {...action}
      aria-label={m.name_step_number_title({ name, number, title })}
      size="icon"
      className="size-8! text-ink-faint!"
    />
  ))
}
