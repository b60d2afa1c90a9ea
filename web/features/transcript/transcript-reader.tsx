import clsx from 'clsx'
import { LocateFixed } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type UIEventHandler, useRef } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { formatTime, speakTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { showLine, type TranscriptClock, useFollow, useLineNow, useRovingLines } from './line-navigation.ts'
import { type Match, SearchRow, useSearch } from './transcript-search.tsx'

/** The video beside the transcript, and the way to a moment of it. */
export interface TranscriptVideo extends TranscriptClock {
  seekTo: (seconds: number) => void
}

interface TranscriptReaderProps {
  segments: readonly TranscriptSegment[]
  video: TranscriptVideo
  isSearching: boolean
  onSearchEnd: () => void
  onScroll: UIEventHandler<HTMLElement>
}

/** The transcript beside its video: follows it, leads to its moments, and can be searched. */
export function TranscriptReader({ segments, video, isSearching, onSearchEnd, onScroll }: TranscriptReaderProps) {
  const box = useRef<HTMLDivElement>(null)
  const nowId = useLineNow(segments, video)
  const { isFollowing, setIsFollowing } = useFollow(box, nowId)
  const search = useSearch(segments, (match) => {
    setIsFollowing(false)
    showLine(box.current, match.lineId)
  })
  function endSearch() {
    search.setWords('')
    onSearchEnd()
  }
  function seekTo(seconds: number) {
    setIsFollowing(true)
    video.seekTo(seconds)
  }
  return (
    <>
      {isSearching && <SearchRow search={search} onClose={endSearch} />}
      <div className="relative">
        <div
          ref={box}
          role="group"
          aria-labelledby="transcript-heading"
          onScroll={onScroll}
          className="h-44 overflow-y-auto rounded-b-card p-2 text-sm leading-relaxed"
        >
          <ReadingLines
            segments={segments}
            nowId={nowId}
            matches={isSearching ? search.matches : []}
            currentMatch={search.current}
            onSeek={seekTo}
            onMove={() => setIsFollowing(false)}
          />
        </div>
        {!isFollowing && nowId !== null && (
          <Button
            variant="secondary"
            size="small"
            className="absolute! right-4 bottom-3"
            onClick={() => setIsFollowing(true)}
          >
            <LocateFixed aria-hidden="true" className="size-4" />
            Back to current
          </Button>
        )}
      </div>
    </>
  )
}

interface ReadingLinesProps {
  segments: readonly TranscriptSegment[]
  /** The line at the current time of the video. */
  nowId: string | null
  matches: readonly Match[]
  /** The match that was gone to. */
  currentMatch: Match | null
  onSeek: (seconds: number) => void
  /** The reader moves between the lines by keyboard. */
  onMove: () => void
}

/** The lines as buttons that lead to their moment. One stop for the keyboard; the arrows move between the lines. */
function ReadingLines({ segments, nowId, matches, currentMatch, onSeek, onMove }: ReadingLinesProps) {
  const { list, activeId, setActiveId, onKeyDown } = useRovingLines(segments)
  return (
    <ul ref={list} className="grid grid-cols-1">
      {segments.map((segment) => (
        <li key={segment.id}>
          <ReadingLine
            segment={segment}
            isNow={segment.id === nowId}
            isActive={segment.id === activeId}
            onFocus={() => setActiveId(segment.id)}
            onKeyDown={(event) => {
              onKeyDown(event)
              if (event.defaultPrevented) onMove()
            }}
            onPress={() => onSeek(segment.start)}
          >
            {markMatches(
              segment.text,
              matches.filter((match) => match.lineId === segment.id),
              currentMatch,
            )}
          </ReadingLine>
        </li>
      ))}
    </ul>
  )
}

interface ReadingLineProps {
  segment: TranscriptSegment
  isNow: boolean
  /** Whether it is the one that the Tab key stops at. */
  isActive: boolean
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onPress: () => void
  children: ReactNode
}

function ReadingLine({ segment, isNow, isActive, onFocus, onKeyDown, onPress, children }: ReadingLineProps) {
  return (
    <button
      type="button"
      data-line={segment.id}
      tabIndex={isActive ? 0 : -1}
      aria-current={isNow ? 'time' : undefined}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onPress}
      className={clsx(
        'flex min-h-8 w-full gap-3 rounded-control p-2 text-left -outline-offset-2 select-text',
        isNow ? 'bg-accent-soft' : 'hover:bg-sunken focus-visible:bg-sunken',
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
      <span className="sr-only">Go to {speakTime(segment.start)}: </span>
      <span className="min-w-0 flex-1">{children}</span>
    </button>
  )
}

function markMatches(text: string, matches: readonly Match[], current: Match | null): ReactNode {
  if (matches.length === 0) return text
  const parts: ReactNode[] = []
  let at = 0
  for (const match of matches) {
    parts.push(text.slice(at, match.start))
    parts.push(
      <mark
        key={match.start}
        className={clsx(
          'rounded-xs text-inherit',
          match === current ? 'bg-warn-soft outline-2 outline-warn-ink' : 'bg-warn-soft',
        )}
      >
        {text.slice(match.start, match.end)}
      </mark>,
    )
    at = match.end
  }
  parts.push(text.slice(at))
  return parts
}
