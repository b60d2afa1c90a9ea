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
import * as m from '#messages'

const INSTRUCTIONS = { draggable: m.to_move_it_press() }
const REORDER = { step: m.reorder_step, module: m.reorder_module }

interface Item {
  id: string
  title: string
}

/** A press on the handle of a phone must still scroll the page when it moves at once. */
const DRAG_AFTER_PX = 5

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

interface SortableListProps<Sorted extends Item> {
  /** What an item is called to those who listen, and the beginning of its anchor: `step-3`. */
  noun: keyof typeof REORDER
  items: readonly Sorted[]
  onReorder: (id: string, index: number) => void
  /** Draws what stands over an item, which is not dragged with it. */
  renderHeading?: (item: Sorted, index: number) => ReactNode
  /** Draws an item with the handle that it is dragged by. */
  renderItem: (item: Sorted, index: number, handle: ReactNode) => ReactNode
}

/** A list whose items change places by mouse, by touch, and by keyboard. */
export function SortableList<Sorted extends Item>({
  noun,
  items,
  onReorder,
  renderHeading,
  renderItem,
}: SortableListProps<Sorted>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_AFTER_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const [announce] = useState(makeAnnouncer)
  function onDragEnd({ active, over }: DragEndEvent) {
    if (over === null || active.id === over.id) return
    const index = items.findIndex((item) => item.id === over.id)
    if (index !== -1) onReorder(String(active.id), index)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: announce(items), screenReaderInstructions: INSTRUCTIONS }}
    >
      <SortableContext items={items.map((item) => item.id)} strategy={verticalListSortingStrategy}>
        <ol className="grid grid-cols-1 gap-2.5">
          {items.map((item, index) => (
            <SortableItem key={item.id} {...{ noun, item }} number={index + 1} heading={renderHeading?.(item, index)}>
              {(handle) => renderItem(item, index, handle)}
            </SortableItem>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

interface SortableItemProps {
  noun: keyof typeof REORDER
  item: Item
  number: number
  heading: ReactNode
  children: (handle: ReactNode) => ReactNode
}

function SortableItem({ noun, item, number, heading, children }: SortableItemProps) {
  const sortable = useSortable({ id: item.id })
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = sortable
  const handle = (
    <button
      ref={setActivatorNodeRef}
      type="button"
      {...attributes}
      {...listeners}
      aria-label={REORDER[noun]({ number, title: item.title })}
      className="relative z-1 inline-flex size-8 shrink-0 cursor-grab! pointer-coarse:size-11 touch-none items-center justify-center rounded-control text-ink-faint hover:bg-sunken hover:text-ink active:cursor-grabbing!"
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

/** Announces for screen readers where an item moves. */
function makeAnnouncer() {
  let hasMoved = false
  return (items: readonly Item[]): Announcements => {
    const place = (id: string | number) => items.findIndex((item) => item.id === id) + 1
    const title = (id: string | number) => items.find((item) => item.id === id)?.title ?? ''
    return {
      onDragStart({ active }) {
        hasMoved = false
        return m.picked_up_title_position_place({
          title: title(active.id),
          place: place(active.id),
          length: items.length,
        })
      },
      onDragOver({ active, over }) {
        // Every drag begins over its own place, which would cut off what has just been said.
        hasMoved ||= over?.id !== active.id
        if (over === null || !hasMoved) return undefined
        return m.title_is_over_position_place({ title: title(active.id), place: place(over.id), length: items.length })
      },
      onDragEnd: ({ active, over }) =>
        m.title_was_dropped_at_position({
          title: title(active.id),
          place: place(over?.id ?? active.id),
          length: items.length,
        }),
      onDragCancel: ({ active }) =>
        m.title_stays_at_position_place({ title: title(active.id), place: place(active.id) }),
    }
  }
}
