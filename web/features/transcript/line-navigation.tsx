import clsx from 'clsx'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { formatTime, speakTime } from '#web/lib/format/format-time.ts'

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

/** Finds the button of a line in the box that shows it. */
export function lineSelector(lineId: string): string {
  return `[data-line="${CSS.escape(lineId)}"]`
}

const STEPS_BY_KEY: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(last, index + 1),
  ArrowUp: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Makes a list of {@link LineButton}s a single tab stop; the arrow keys move between them. */
export function useRovingLines(segments: readonly { id: string }[]) {
  const list = useRef<HTMLUListElement>(null)
  const [focusedId, setFocusedId] = useState(segments[0]?.id)
  const activeId = segments.some((segment) => segment.id === focusedId) ? focusedId : segments[0]?.id

  function findLine(id: string | undefined): HTMLButtonElement | undefined {
    return [...(list.current?.querySelectorAll('button') ?? [])].find((line) => line.dataset['line'] === id)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS_BY_KEY[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = segments.findIndex((segment) => segment.id === activeId)
    findLine(segments[step(index, segments.length - 1)]?.id)?.focus()
  }
  /** Props that make a line focusable. */
  function propsOf(id: string) {
    return { tabIndex: id === activeId ? 0 : -1, onFocus: () => setFocusedId(id), onKeyDown }
  }
  return { list, propsOf, onKeyDown, findLine }
}

/** Says who speaks, before a line; nothing where that is not known. */
export function SpeakerName({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <>
      <span className="me-0.5 text-xs wrap-anywhere text-ink-faint">{children}:</span>{' '}
    </>
  )
}

interface LineButtonProps extends ComponentProps<'button'> {
  segment: TranscriptSegment
  /** What a press does with the line, before its time; for screen readers. */
  does: string
  /** Whether the video is playing this line. */
  isNow?: boolean
}

/** A line of the transcript that can be pressed. */
export function LineButton({ segment, does, isNow = false, className, children, ...button }: LineButtonProps) {
  return (
    <button
      {...button}
      type="button"
      data-line={segment.id}
      aria-current={isNow ? 'time' : undefined}
      className={clsx(
        'flex min-h-8 w-full gap-3 rounded-control p-2 text-start -outline-offset-2',
        isNow ? 'bg-accent-soft' : 'hover:bg-sunken focus-visible:bg-sunken',
        className,
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'shrink-0 text-xs leading-relaxed tabular-nums',
          isNow ? 'font-semibold text-accent-ink' : 'text-ink-faint',
        )}
      >
        {formatTime(segment.start)}
      </span>
      <span className="sr-only">
        {does} {speakTime(segment.start)}:{' '}
      </span>
      {children}
    </button>
  )
}
