import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import clsx from 'clsx'
import { GripVertical } from 'lucide-react'
import { type ReactNode, useState } from 'react'

const instructionsFor = (noun: string) =>
  `To move the ${noun}, press Space. Use the arrow keys to choose its place, Space to drop it there, and Escape to leave it where it was.`

/** What is in the list, a step or a module. */
interface Item {
  id: string
  title: string
}

/** A press on the handle of a phone must still scroll the page when it moves at once. */
const DRAG_AFTER_PX = 5

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

interface SortableStepsProps<Sorted extends Item> {
  /** What a step is called here. */
  noun?: 'step' | 'module'
  steps: readonly Sorted[]
  onReorder: (id: string, index: number) => void
  /** Draws what stands over a step, which is not dragged with it. */
  renderHeading?: (step: Sorted, index: number) => ReactNode
  /** Draws a step; the handle is null while it cannot be dragged. */
  renderStep: (step: Sorted, index: number, handle: ReactNode) => ReactNode
}

/** Steps, or modules, that change places by mouse, by touch, and by keyboard. */
export function SortableSteps<Sorted extends Item>({
  noun = 'step',
  steps,
  onReorder,
  renderHeading,
  renderStep,
}: SortableStepsProps<Sorted>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const [announce] = useState(makeAnnouncer)
  function onDragEnd({ active, over }: DragEndEvent) {
    if (over === null || active.id === over.id) return
    const index = steps.findIndex((step) => step.id === over.id)
    if (index !== -1) onReorder(String(active.id), index)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: announce(steps), screenReaderInstructions: { draggable: instructionsFor(noun) } }}
    >
      <SortableContext items={steps.map((step) => step.id)} strategy={verticalListSortingStrategy}>
        <ol className="grid grid-cols-1 gap-2.5">
          {steps.map((step, index) => (
            <SortableStep key={step.id} {...{ noun, step }} number={index + 1} heading={renderHeading?.(step, index)}>
              {(handle) => renderStep(step, index, handle)}
            </SortableStep>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

interface SortableStepProps {
  noun: string
  step: Item
  number: number
  heading: ReactNode
  children: (handle: ReactNode) => ReactNode
}

function SortableStep({ noun, step, number, heading, children }: SortableStepProps) {
  const sortable = useSortable({ id: step.id })
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = sortable
  const handle = (
    <button
      ref={setActivatorNodeRef}
      type="button"
      {...attributes}
      {...listeners}
      aria-label={`Reorder ${noun} ${number}: ${step.title}`}
      className="relative z-1 inline-flex size-8 shrink-0 cursor-grab! touch-none items-center justify-center rounded-control text-ink-faint hover:bg-sunken hover:text-ink active:cursor-grabbing!"
    >
      <GripVertical aria-hidden="true" className="size-4" />
    </button>
  )
  return (
    <li id={`${noun}-${number}`} className="@container scroll-mt-(--step-scroll-margin,5rem)">
      {heading}
      <div
        ref={setNodeRef}
        style={{ transform: CSS.Translate.toString(transform), transition }}
        className={clsx('rounded-card', isDragging && 'relative z-10 shadow-float')}
      >
        {children(handle)}
      </div>
    </li>
  )
}

/** Announces for screen readers where the step moves. */
function makeAnnouncer() {
  let hasMoved = false
  return (steps: readonly Item[]): Announcements => {
    const place = (id: string | number) => steps.findIndex((step) => step.id === id) + 1
    const title = (id: string | number) => steps.find((step) => step.id === id)?.title ?? ''
    return {
      onDragStart({ active }) {
        hasMoved = false
        return `Picked up “${title(active.id)}”, position ${place(active.id)} of ${steps.length}.`
      },
      onDragOver({ active, over }) {
        // Every drag begins over its own place, which would cut off what has just been said.
        hasMoved ||= over?.id !== active.id
        if (over === null || !hasMoved) return undefined
        return `“${title(active.id)}” is over position ${place(over.id)} of ${steps.length}.`
      },
      onDragEnd: ({ active, over }) =>
        `“${title(active.id)}” was dropped at position ${place(over?.id ?? active.id)} of ${steps.length}.`,
      onDragCancel: ({ active }) => `“${title(active.id)}” stays at position ${place(active.id)}.`,
    }
  }
}
