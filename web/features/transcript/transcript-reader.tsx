import { LocateFixed } from 'lucide-react'
import { type UIEventHandler, useRef } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { Button } from '#web/ui/button.tsx'
import { ReadingLines } from './reading-lines.tsx'
import { SearchRow } from './search-row.tsx'
import { type TranscriptClock, useLineNow } from './transcript-clock.ts'
import { showLine, useFollow } from './use-follow.ts'
import { useSearch } from './use-search.ts'

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
