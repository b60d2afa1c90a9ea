import { PencilLine } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { formatTime, speakTime } from '#web/lib/format-time.ts'
import { LineEditor } from './line-editor.tsx'
import type { Corrections } from './use-corrections.ts'
import { useRovingLines } from './use-roving-lines.ts'

interface CorrectableLinesProps {
  segments: readonly TranscriptSegment[]
  corrections: Corrections
}

/** The lines as buttons that open an editor. One stop for the keyboard; the arrows move between the lines. */
export function CorrectableLines({ segments, corrections }: CorrectableLinesProps) {
  const { line, segment: open, isSaving } = corrections
  const { list, activeId, setActiveId, onKeyDown, findLine } = useRovingLines(segments)
  useFocusOfClosed(open?.id, findLine)
  async function press(segment: TranscriptSegment) {
    const isOpen = await corrections.open(segment)
    // The one that is open has to be saved first.
    if (!isOpen) list.current?.querySelector('textarea')?.focus()
  }
  return (
    <ul ref={list} className="grid grid-cols-1">
      {segments.map((segment) => (
        <li key={segment.id}>
          {line !== null && segment.id === open?.id ? (
            <LineEditor
              key={line.text}
              segment={segment}
              draft={line.draft}
              isSaving={isSaving}
              onChange={corrections.type}
              onSave={corrections.save}
              onCancel={corrections.giveUp}
            />
          ) : (
            <LineButton
              segment={segment}
              isActive={segment.id === activeId}
              onFocus={() => setActiveId(segment.id)}
              onKeyDown={onKeyDown}
              onPress={() => press(segment)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

interface LineButtonProps {
  segment: TranscriptSegment
  /** Whether it is the one that the Tab key stops at. */
  isActive: boolean
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onPress: () => void
}

function LineButton({ segment, isActive, onFocus, onKeyDown, onPress }: LineButtonProps) {
  return (
    <button
      type="button"
      data-line={segment.id}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onPress}
      className="group flex min-h-8 w-full gap-3 rounded-control p-2 text-left -outline-offset-2 hover:bg-sunken focus-visible:bg-sunken"
    >
      <span aria-hidden="true" className="shrink-0 text-xs leading-relaxed text-ink-faint tabular-nums">
        {formatTime(segment.start)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="sr-only">Correct the line at {speakTime(segment.start)}: </span>
        {segment.text}
        {segment.isEdited && <span className="ml-2 text-xs whitespace-nowrap text-brand-ink">corrected</span>}
      </span>
      <PencilLine
        aria-hidden="true"
        className="mt-0.5 size-4 shrink-0 text-ink-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
      />
    </button>
  )
}

/** An editor that closes gives the focus back to its line. */
function useFocusOfClosed(openId: string | undefined, findLine: (id: string) => HTMLElement | undefined): void {
  const wasOpen = useRef(openId)
  const focus = useEffectEvent((id: string) => findLine(id)?.focus())
  useEffect(() => {
    const closed = wasOpen.current
    wasOpen.current = openId
    if (openId === undefined && closed !== undefined) focus(closed)
  }, [openId])
}
