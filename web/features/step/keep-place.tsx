import { Component, createRef, type ReactNode } from 'react'

interface Place {
  element: Element
  topPx: number
}

/**
 * Keeps the place of the viewer on the screen when steps come in above it. A focused element inside the list stays
 * where it is. Otherwise the browser's scroll anchoring does this, which Safari lacks: there the first step in sight
 * stays, once the list has been scrolled to.
 *
 * A class, because only `getSnapshotBeforeUpdate` sees the page right before it changes.
 */
export class KeepPlace extends Component<{ children: ReactNode }> {
  readonly #list = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Place | null {
    const element = this.#list.current && findKept(this.#list.current)
    return element === null ? null : { element, topPx: element.getBoundingClientRect().top }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, place: Place | null): void {
    if (place === null || !place.element.isConnected) return
    const movedPx = place.element.getBoundingClientRect().top - place.topPx
    if (movedPx !== 0) window.scrollBy({ top: movedPx, behavior: 'instant' })
  }

  override render(): ReactNode {
    return <div ref={this.#list}>{this.props.children}</div>
  }
}

function findKept(list: Element): Element | null {
  const focused = list.querySelector(':focus-visible')
  if (focused !== null) return isInSight(focused) ? focused : null
  if (hasScrollAnchoring() || list.getBoundingClientRect().top >= 0) return null
  return [...list.querySelectorAll('li')].find(isInSight) ?? null
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}

function hasScrollAnchoring(): boolean {
  return CSS.supports('overflow-anchor', 'auto')
}
