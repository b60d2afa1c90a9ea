import clsx from 'clsx'
import { type ReactNode, type UIEventHandler, useRef } from 'react'
import { type Cuts, isLineCut } from '#contract/time/visible-time.ts'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { showInBox } from '#web/lib/scroll-box.ts'
import { ChangedText } from '#web/ui/changed-text.tsx'
import { BackToCurrent, useFollow } from '#web/ui/follow.tsx'
import { type Cutting, LeaveOutSelected } from './leave-out.tsx'
import {
  LineButton,
  lineSelector,
  SpeakerName,
  type TranscriptClock,
  useLineNow,
  useRovingLines,
} from './line-navigation.tsx'
import { ScreenRepair } from './screen-repair.tsx'
import { SearchRow, useSearch } from './transcript-search.tsx'
import type { Corrector } from './use-corrections.ts'

/** The video beside the transcript, and the way to a moment of it. */
export interface TranscriptVideo extends TranscriptClock {
  seekTo: (seconds: number) => void
}

/** Shows where else the words of a search are. */
export type RenderOtherMatches = (words: string, onSeek: (seconds: number) => void) => ReactNode

interface TranscriptReaderProps {
  segments: readonly TranscriptSegment[]
  video: TranscriptVideo
  isSearching: boolean
  /** What else has the words that are searched for. */
  renderOthers?: RenderOtherMatches | undefined
  onSearchEnd: () => void
  onScroll: UIEventHandler<HTMLElement>
  /** For owners, who may leave out lines. */
  cutting?: Cutting | undefined
  /** For owners, while lines can be corrected. */
  corrector?: Corrector | undefined
}

/** The transcript beside its video: follows it, leads to its moments, and can be searched. */
export function TranscriptReader(props: TranscriptReaderProps) {
  const { segments, video, isSearching, renderOthers, onSearchEnd, onScroll, cutting, corrector } = props
  const box = useRef<HTMLDivElement>(null)
  const nowId = useLineNow(segments, video)
  const { isFollowing, setIsFollowing } = useFollow(box, { selector: nowId === null ? null : lineSelector(nowId) })
  const search = useSearch(segments, (match) => {
    setIsFollowing(false)
    const line = box.current?.querySelector<HTMLElement>(lineSelector(match.lineId))
    if (box.current && line) showInBox(box.current, line)
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
      {isSearching && renderOthers?.(search.words, seekTo)}
      <div className="relative">
        <div
          ref={box}
          role="group"
          aria-labelledby="transcript-heading"
          onScroll={onScroll}
          className="relative h-(--transcript-height,11rem) overflow-y-auto rounded-b-card p-2 text-sm leading-relaxed"
        >
          <ReadingLines
            segments={segments}
            nowId={nowId}
            cuts={cutting?.cuts ?? []}
            search={isSearching ? search : null}
            corrector={corrector}
            onSeek={seekTo}
            onMove={() => setIsFollowing(false)}
          />
        </div>
        {cutting && <LeaveOutSelected {...{ box, segments }} onLeaveOut={cutting.onLeaveOut} />}
        {!isFollowing && nowId !== null && <BackToCurrent className="end-4" onPress={() => setIsFollowing(true)} />}
      </div>
    </>
  )
}

interface ReadingLinesProps {
  segments: readonly TranscriptSegment[]
  /** The line at the current time of the video. */
  nowId: string | null
  cuts: Cuts
  /** Null while nothing is searched for. */
  search: ReturnType<typeof useSearch> | null
  corrector: Corrector | undefined
  onSeek: (seconds: number) => void
  /** The reader moves between the lines by keyboard. */
  onMove: () => void
}

/** The lines as buttons that lead to their moment. One stop for the keyboard; the arrows move between the lines. */
function ReadingLines({ segments, nowId, cuts, search, corrector, onSeek, onMove }: ReadingLinesProps) {
  const { list, propsOf, onKeyDown } = useRovingLines(segments)
  return (
    <ul ref={list} className="grid grid-cols-1">
      {segments.map((segment) => (
        <li key={segment.id} className="flex">
          <LineButton
            segment={segment}
            does={m.go_to()}
            isNow={segment.id === nowId}
            className={clsx('select-text', isLineCut(segment, cuts) && 'line-through opacity-70')}
            {...propsOf(segment.id)}
            onKeyDown={(event) => {
              onKeyDown(event)
              if (event.defaultPrevented) onMove()
            }}
            onClick={() => onSeek(segment.start)}
          >
            <span dir="auto" className="min-w-0 flex-1">
              {isLineCut(segment, cuts) && <span className="sr-only">{m.left_out()} </span>}
              <SpeakerName>{segment.speaker && markMatches(segment, search, 'speaker')}</SpeakerName>
              {markMatches(segment, search, 'text')}
            </span>
          </LineButton>
          <ScreenRepair {...{ segment, corrector }} />
        </li>
      ))}
    </ul>
  )
}

function markMatches(
  segment: TranscriptSegment,
  search: ReturnType<typeof useSearch> | null,
  part: 'speaker' | 'text',
): ReactNode {
  const text = segment[part] ?? ''
  const { beforeScreen } = segment
  const isRepaired = part === 'text' && beforeScreen !== undefined
  if (search === null) return isRepaired ? <ChangedText before={beforeScreen} after={text} side="after" /> : text
  const matches = search.matches.filter(
    ({ lineId, isSpeaker = false }) => lineId === segment.id && isSpeaker === (part === 'speaker'),
  )
  const marked = matches.flatMap((match, index) => [
    text.slice(matches[index - 1]?.end ?? 0, match.start),
    <mark
      key={match.start}
      className={clsx('rounded-xs bg-warn-soft text-inherit', match === search.current && 'outline-2 outline-warn-ink')}
    >
      {text.slice(match.start, match.end)}
    </mark>,
  ])
  return [...marked, text.slice(matches.at(-1)?.end)]
}
