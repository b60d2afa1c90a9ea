import clsx from 'clsx'
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import type { StepFocus } from '#contract/step.ts'
import * as m from '#messages'
import { type FramePoint, moveFocus, sizeFocus, spanFocus } from './move-focus.ts'

interface FocusBoxProps {
  /** Address of the image that it is drawn on. */
  src: string
  focus: StepFocus
  onChange: (focus: StepFocus) => void
}

/** What a pointer does: it began there, with that part. */
interface Drag {
  from: FramePoint
  begun: StepFocus
  change: (begun: StepFocus, from: FramePoint, to: FramePoint) => StepFocus
}

const between = (from: FramePoint, to: FramePoint) => ({ x: to.x - from.x, y: to.y - from.y })
const DRAGS = {
  move: (begun, from, to) => moveFocus(begun, between(from, to)),
  size: (begun, from, to) => sizeFocus(begun, between(from, to)),
  draw: (_, from, to) => spanFocus(from, to),
} satisfies Record<string, Drag['change']>

const KEY_PERCENT = 2
const ARROWS: Record<string, FramePoint> = {
  ArrowLeft: { x: -KEY_PERCENT, y: 0 },
  ArrowRight: { x: KEY_PERCENT, y: 0 },
  ArrowUp: { x: 0, y: -KEY_PERCENT },
  ArrowDown: { x: 0, y: KEY_PERCENT },
}

/** The image of a step with a part of it, which is dragged by its middle or its corner, drawn anew beside it, or moved by keys. */
export function FocusBox({ src, focus: stored, onChange }: FocusBoxProps) {
  const id = useId()
  const { focus, handlers } = useDrag(stored, onChange)
  function press(event: KeyboardEvent) {
    const by = ARROWS[event.key]
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    // The page would scroll, and the video has keys of its own.
    event.preventDefault()
    event.stopPropagation()
    onChange(event.shiftKey ? sizeFocus(stored, by) : moveFocus(stored, by))
  }
  return (
    <div className="max-w-md">
      <div
        {...handlers}
        className="relative aspect-video cursor-crosshair touch-none overflow-hidden rounded-control border border-line bg-sunken select-none"
      >
        <img src={src} alt="" draggable={false} className="size-full object-contain" />
        <button
          type="button"
          data-drag="move"
          aria-label={`${m.part_to_look_at()}: ${m.part_is_at({ ...focus })}`}
          aria-describedby={id}
          onKeyDown={press}
          style={{
            left: `${focus.x}%`,
            top: `${focus.y}%`,
            width: `${focus.width}%`,
            height: `${focus.height}%`,
          }}
          className={clsx(
            'absolute cursor-move rounded-chip border-2 border-accent shadow-[0_0_0_100vmax_rgb(0_0_0/0.55)]',
            'focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-brand',
          )}
        >
          <span
            data-drag="size"
            className="absolute -right-1 -bottom-1 size-6 cursor-nwse-resize rounded-chip border-2 border-surface bg-accent"
          />
        </button>
      </div>
      <p id={id} className="mt-1.5 text-sm text-ink-soft">
        {m.part_keys()}
      </p>
    </div>
  )
}

/** The part as it is dragged; it is kept when it is let go. */
function useDrag(stored: StepFocus, onChange: (focus: StepFocus) => void) {
  const drag = useRef<Drag>(null)
  const [dragged, setDragged] = useState<StepFocus | null>(null)
  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button > 0) return
    const grip = (event.target as Element).closest<HTMLElement>('[data-drag]')?.dataset['drag']
    const change = grip === 'move' || grip === 'size' ? DRAGS[grip] : DRAGS.draw
    drag.current = { from: pointOf(event), begun: stored, change }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    const { current } = drag
    if (current !== null) setDragged(current.change(current.begun, current.from, pointOf(event)))
  }
  function onPointerUp() {
    drag.current = null
    if (dragged !== null) onChange(dragged)
    setDragged(null)
  }
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp }
  return { focus: dragged ?? stored, handlers }
}

function pointOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLDivElement>): FramePoint {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return { x: (100 * (clientX - left)) / width, y: (100 * (clientY - top)) / height }
}
