import { Component, createRef, type ReactNode, useEffect, useRef, useState } from 'react'
import * as m from '#messages'
import { findScrollBox } from '#web/lib/scroll-box.ts'
import { Spinner } from '#web/ui/loading.tsx'

/**
 * Keeps the place of the viewer on the screen when steps come in above it. A focused element inside the list stays
 * where it is. Otherwise the browser's scroll anchoring does this, which Safari lacks: there the first step in sight
 * stays, once the list has been scrolled to.
 *
 * A class, because only `getSnapshotBeforeUpdate` sees the page right before it changes.
 */
export class KeepPlace extends Component<{ children: ReactNode }> {
  readonly #list = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate() {
    const element = this.#list.current && findKept(this.#list.current)
    return element && { element, topPx: element.getBoundingClientRect().top }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, place: { element: Element; topPx: number } | null) {
    if (place === null || !place.element.isConnected) return
    const movedPx = place.element.getBoundingClientRect().top - place.topPx
    if (movedPx !== 0) (findScrollBox(place.element) ?? window).scrollBy({ top: movedPx, behavior: 'instant' })
  }

  override render(): ReactNode {
    return <div ref={this.#list}>{this.props.children}</div>
  }
}

function findKept(list: Element): Element | null {
  const focused = list.querySelector(':focus-visible')
  if (focused !== null) return isInSight(focused) ? focused : null
  const topPx = findScrollBox(list)?.getBoundingClientRect().top ?? 0
  if (CSS.supports('overflow-anchor', 'auto') || list.getBoundingClientRect().top >= topPx) return null
  return [...list.querySelectorAll('li')].find(isInSight) ?? null
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

/** At the end of a growing list, where it takes no place from anything when it goes. */
export function MoreToCome() {
  return (
    <p className="flex items-center gap-3 px-4 pt-5 pb-2 text-sm text-ink-soft">
      <Spinner className="size-4 text-brand" />
      {m.more_steps_appear_here_as_they()}
    </p>
  )
}

/** Long enough for a screen reader to finish its sentence and for the listener to turn to something else. */
const SAY_EVERY_MS = 8_000

/**
 * What to say to people who do not see the list grow: one sentence for all that came, now and then.
 * @param growingCount steps so far; null when the list does not grow
 */
export function useStepSummary(growingCount: number | null): string {
  const [summary, setSummary] = useState('')
  const saidAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (growingCount === null || growingCount === 0) return
    const say = () => {
      saidAtMs.current = Date.now()
      setSummary(m.steps_so_far({ count: growingCount }))
    }
    const timer = setTimeout(say, Math.max(0, saidAtMs.current + SAY_EVERY_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [growingCount])
  return growingCount === null ? '' : summary
}
