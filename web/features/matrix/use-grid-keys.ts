import { type KeyboardEvent, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react'

/** Which cell: rows and columns are counted from 0, without names and titles. */
export interface Place {
  row: number
  column: number
}

/** How far each key goes. */
const MOVES: Record<string, (place: Place, last: Place) => Place> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, last) => ({ row, column: last.column }),
}

/** Which cell an event comes from; null for what is not one. */
export function placeOf({ target }: SyntheticEvent): Place | null {
  const text = target instanceof Element ? target.closest('[data-place]')?.getAttribute('data-place') : null
  if (!text) return null
  const [row = 0, column = 0] = text.split(' ').map(Number)
  return { row, column }
}

/**
 * One cell takes the focus at a time, and the arrow keys move it (WAI-ARIA, grid). Cells name their place in
 * `data-place`.
 * @param last of the cells that there are now
 */
export function useGridKeys(last: Place) {
  const box = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Place>({ row: 0, column: 0 })
  // Other filters may leave less than there was.
  const active = { row: Math.min(chosen.row, last.row), column: Math.min(chosen.column, last.column) }
  const isMoved = useRef(false)
  // Drawn by now, wherever the box is scrolled to.
  useLayoutEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    box.current?.querySelector<HTMLElement>(`[data-place="${chosen.row} ${chosen.column}"]`)?.focus()
  }, [chosen])
  function move(event: KeyboardEvent<HTMLElement>) {
    // The browser's own, as going back.
    if (event.altKey || event.metaKey) return
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }
    const next = MOVES[(isMirrored && mirrored[event.key]) || event.key]?.(active, last)
    if (next === undefined) return
    event.preventDefault()
    isMoved.current = true
    setChosen({
      row: Math.min(Math.max(next.row, 0), last.row),
      column: Math.min(Math.max(next.column, 0), last.column),
    })
  }
  function follow(event: SyntheticEvent) {
    const place = placeOf(event)
    if (place !== null && (place.row !== chosen.row || place.column !== chosen.column)) setChosen(place)
  }
  return { box, active, move, follow }
}
