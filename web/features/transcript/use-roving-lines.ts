import { type KeyboardEvent, useRef, useState } from 'react'

const STEPS_BY_KEY: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * One stop for the keyboard in a list of lines; the arrows move between them. Each line is a button with its id in
 * `data-line`.
 */
export function useRovingLines(segments: readonly { id: string }[]) {
  const list = useRef<HTMLUListElement>(null)
  const [asked, setActiveId] = useState(segments[0]?.id)
  const activeId = segments.some((segment) => segment.id === asked) ? asked : segments[0]?.id

  function findLine(id: string | undefined): HTMLButtonElement | undefined {
    return [...(list.current?.querySelectorAll('button') ?? [])].find((line) => line.dataset['line'] === id)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS_BY_KEY[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = segments.findIndex((segment) => segment.id === activeId)
    findLine(segments[step(at, segments.length - 1)]?.id)?.focus()
  }
  return { list, activeId, setActiveId, onKeyDown, findLine }
}
