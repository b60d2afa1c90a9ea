import { type PointerEvent, useId, useRef, useState } from 'react'
import type { ScreenArea } from '#contract/screen.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'

/** Edges of an area, percent of the picture. */
interface Edges {
  left: number
  right: number
  top: number
  bottom: number
}

interface IgnoredAreaProps {
  area: ScreenArea | null
  /** Shows what is in the picture; null where there is no image of it. */
  posterUrl: string | null
  isBusy: boolean
  onChange: (area: ScreenArea | null) => void
}

/** A rectangle over the whole video whose text is left out: drawn on the picture, or set by its edges. */
export function IgnoredArea({ area, posterUrl, isBusy, onChange }: IgnoredAreaProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {m.ignore_an_area()}
      </Button>
      {isOpen && <AreaForm {...{ area, posterUrl, isBusy, onChange }} />}
    </>
  )
}

/** The corner where mail and chat announce themselves. */
const SUGGESTED: Edges = { left: 70, right: 100, top: 0, bottom: 25 }
/** A smaller rectangle holds no line of text. */
const MIN_PERCENT = 2

function AreaForm({ area, posterUrl, isBusy, onChange }: IgnoredAreaProps) {
  const [edges, setEdges] = useState<Edges>(area === null ? SUGGESTED : toEdges(area))
  const set = (name: keyof Edges) => (percent: number) => setEdges(keepOrder({ ...edges, [name]: percent }, name))
  return (
    <div className="grid w-full grid-cols-1 gap-3">
      <p role="status" className="text-sm text-ink-soft">
        {area === null ? m.no_area_is_ignored() : m.an_area_is_ignored()}
      </p>
      <AreaPicture {...{ edges, posterUrl }} onDraw={setEdges} />
      <div className="grid grid-cols-1 gap-2 min-[24rem]:grid-cols-2">
        <EdgeField label={m.left_edge()} percent={edges.left} onChange={set('left')} />
        <EdgeField label={m.right_edge()} percent={edges.right} onChange={set('right')} />
        <EdgeField label={m.top_edge()} percent={edges.top} onChange={set('top')} />
        <EdgeField label={m.bottom_edge()} percent={edges.bottom} onChange={set('bottom')} />
      </div>
      <p className="text-sm text-ink-soft">{m.text_in_area_is_not_stored()}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={isBusy} onClick={() => onChange(toArea(edges))}>
          {m.ignore_this_area()}
        </Button>
        {area !== null && (
          <Button variant="secondary" size="small" isBusy={isBusy} onClick={() => onChange(null)}>
            {m.ignore_no_area()}
          </Button>
        )}
      </div>
    </div>
  )
}

interface EdgeFieldProps {
  label: string
  percent: number
  onChange: (percent: number) => void
}

function EdgeField({ label, percent, onChange }: EdgeFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-valuetext={`${percent} %`}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        className="h-6 w-full accent-brand"
      />
    </div>
  )
}

interface AreaPictureProps {
  edges: Edges
  posterUrl: string | null
  onDraw: (edges: Edges) => void
}

/** The picture with the rectangle, which a pointer draws anew. The fields do the same by keyboard. */
function AreaPicture({ edges: { left, right, top, bottom }, posterUrl, onDraw }: AreaPictureProps) {
  const corner = useRef<{ x: number; y: number } | null>(null)
  const toPercent = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { x, y, width, height } = currentTarget.getBoundingClientRect()
    const clamp = (share: number) => Math.round(100 * Math.min(1, Math.max(0, share)))
    return { x: clamp((clientX - x) / width), y: clamp((clientY - y) / height) }
  }
  function draw(event: PointerEvent) {
    if (corner.current === null) return
    const [from, to] = [corner.current, toPercent(event)]
    const drawn = {
      left: Math.min(from.x, to.x),
      right: Math.max(from.x, to.x),
      top: Math.min(from.y, to.y),
      bottom: Math.max(from.y, to.y),
    }
    if (drawn.right - drawn.left >= MIN_PERCENT && drawn.bottom - drawn.top >= MIN_PERCENT) onDraw(drawn)
  }
  return (
    // As high as the video is, without its bars: shares of the picture are those of what is read.
    <div
      data-testid="area-picture"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        corner.current = toPercent(event)
      }}
      onPointerMove={draw}
      onPointerUp={(event) => {
        draw(event)
        corner.current = null
      }}
      className="relative min-h-24 w-full touch-none overflow-hidden rounded-control bg-sunken select-none"
    >
      {posterUrl === null ? (
        <div className="aspect-video" />
      ) : (
        <img src={posterUrl} alt="" draggable={false} className="block w-full" />
      )}
      <div
        className="absolute border-2 border-danger bg-danger-soft opacity-60"
        style={{ left: `${left}%`, top: `${top}%`, width: `${right - left}%`, height: `${bottom - top}%` }}
      />
    </div>
  )
}

/** An edge that is moved pushes the one across from it. */
function keepOrder(edges: Edges, moved: keyof Edges): Edges {
  const { left, right, top, bottom } = edges
  const first = (value: number) => Math.min(value, 100 - MIN_PERCENT)
  const last = (value: number) => Math.max(value, MIN_PERCENT)
  const across: Record<keyof Edges, Partial<Edges>> = {
    left: { left: first(left), right: Math.max(right, first(left) + MIN_PERCENT) },
    right: { right: last(right), left: Math.min(left, last(right) - MIN_PERCENT) },
    top: { top: first(top), bottom: Math.max(bottom, first(top) + MIN_PERCENT) },
    bottom: { bottom: last(bottom), top: Math.min(top, last(bottom) - MIN_PERCENT) },
  }
  return { ...edges, ...across[moved] }
}

function toEdges({ x, y, width, height }: ScreenArea): Edges {
  const percent = (share: number) => Math.round(100 * share)
  return { left: percent(x), right: percent(x + width), top: percent(y), bottom: percent(y + height) }
}

function toArea({ left, right, top, bottom }: Edges): ScreenArea {
  return { x: left / 100, y: top / 100, width: (right - left) / 100, height: (bottom - top) / 100 }
}
