import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'

/** The video beside the transcript. Seconds. */
export interface TranscriptClock {
  /** Null while there is no video. */
  readTimeS: () => number | null
  subscribe: (listener: () => void) => () => void
}

/** A seek lands up to a frame before the line that was pressed. */
const SEEK_SLACK_S = 0.1

/** Finds the line at a moment, or the last one before it; null before the first. Lines are in order of time. */
export function findLineNow(segments: readonly TranscriptSegment[], timeS: number): string | null {
  return segments.findLast((segment) => segment.start <= timeS + SEEK_SLACK_S)?.id ?? null
}

/** Renders only when the current line changes. Null until the video has begun, so that nothing is marked before. */
export function useLineNow(segments: readonly TranscriptSegment[], clock: TranscriptClock): string | null {
  const { readTimeS, subscribe } = clock
  const read = useCallback(() => {
    const timeS = readTimeS()
    return timeS === null || timeS === 0 ? null : findLineNow(segments, timeS)
  }, [segments, readTimeS])
  return useSyncExternalStore(subscribe, read)
}

/**
 * Keeps the current line in the middle of its box, until the reader scrolls in it.
 * @param boxRef what scrolls
 * @param lineId of the current line; null for none
 */
export function useFollow(boxRef: RefObject<HTMLElement | null>, lineId: string | null) {
  const [isFollowing, setIsFollowing] = useState(true)
  useEffect(() => {
    if (isFollowing && lineId !== null) showLine(boxRef.current, lineId)
  }, [boxRef, isFollowing, lineId])

  useEffect(() => {
    const box = boxRef.current
    if (box === null) return
    const over = new AbortController()
    const options = { signal: over.signal, passive: true }
    function leave() {
      setIsFollowing(false)
    }
    for (const type of ['wheel', 'touchmove']) box.addEventListener(type, leave, options)
    // The bar at its side is no part of any line.
    box.addEventListener('pointerdown', ({ target }) => target === box && leave(), options)
    return () => over.abort()
  }, [boxRef])
  return { isFollowing, setIsFollowing }
}

/** Brings a line into the middle of its box, and moves nothing else on the page. */
export function showLine(box: HTMLElement | null, lineId: string): void {
  const line = box?.querySelector<HTMLElement>(`[data-line="${CSS.escape(lineId)}"]`)
  if (box === null || line === null || line === undefined) return
  const fromTopPx = line.getBoundingClientRect().top - box.getBoundingClientRect().top
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  box.scrollTo({
    top: box.scrollTop + fromTopPx - (box.clientHeight - line.offsetHeight) / 2,
    behavior: isCalm ? 'instant' : 'smooth',
  })
}

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
