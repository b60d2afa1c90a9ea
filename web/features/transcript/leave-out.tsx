import { Scissors } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { Button } from '#web/ui/button.tsx'
import { lineSelector } from './line-navigation.tsx'

/** What is left out of the video, and how its owner leaves out lines. */
export interface Cutting {
  cuts: Cuts
  onLeaveOut: (start: number, end: number) => void
}

interface LeaveOutSelectedProps {
  box: RefObject<HTMLElement | null>
  segments: readonly TranscriptSegment[]
  onLeaveOut: Cutting['onLeaveOut']
}

/** Appears while lines of the transcript are selected, and leaves them out of the video. */
export function LeaveOutSelected({ box, segments, onLeaveOut }: LeaveOutSelectedProps) {
  const lines = useSelectedLines(box, segments)
  const [first] = lines
  if (first === undefined) return null
  return (
    <Button
      size="small"
      className="absolute start-4 bottom-3 shadow-float!"
      // The selection would be gone before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        document.getSelection()?.removeAllRanges()
        // Who speaks first may end last.
        onLeaveOut(first.start, Math.max(...lines.map(({ end }) => end)))
      }}
    >
      <Scissors aria-hidden="true" className="size-4" />
      {m.leave_out_lines({ count: lines.length })}
    </Button>
  )
}

function useSelectedLines(place: LeaveOutSelectedProps['box'], segments: readonly TranscriptSegment[]) {
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([])
  useEffect(() => {
    return listen(document, {
      selectionchange() {
        const [box, selection] = [place.current, document.getSelection()]
        if (box === null || selection === null || selection.isCollapsed) return setSelectedIds([])
        const range = selection.getRangeAt(0)
        const isSelected = ({ id }: TranscriptSegment) => {
          const line = box.querySelector(lineSelector(id))
          return line !== null && range.intersectsNode(line)
        }
        setSelectedIds(segments.filter(isSelected).map(({ id }) => id))
      },
    })
  }, [place, segments])
  return segments.filter(({ id }) => selectedIds.includes(id))
}
