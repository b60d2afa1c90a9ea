import { ScrollText } from 'lucide-react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface TranscriptBoxProps {
  /** Everything that was said; undefined while it loads. */
  text: string | undefined
  /** The same with times, where they could be loaded. */
  segments: readonly TranscriptSegment[]
  /** Whether more is still being heard. */
  isGrowing: boolean
}

const CHARS = new Intl.NumberFormat('en-US')

/** What was said, with its length. */
export function TranscriptBox({ text, segments, isGrowing }: TranscriptBoxProps) {
  return (
    <Card>
      <section aria-labelledby="transcript-heading">
        <div className="flex min-h-13 items-center gap-2.5 border-b border-line py-2 pr-2 pl-4">
          <ScrollText aria-hidden="true" className="size-4 text-ink-faint" />
          <h2 id="transcript-heading" className="font-semibold">
            Transcript
          </h2>
          {text !== undefined && (
            <span className="truncate text-sm text-ink-faint tabular-nums">{CHARS.format(text.length)} characters</span>
          )}
          <span className="grow" />
          {text && <CopyButton text={text} variant="ghost" size="small" />}
        </div>
        <TranscriptText text={text} segments={segments} isGrowing={isGrowing} />
      </section>
    </Card>
  )
}

function TranscriptText({ text, segments, isGrowing }: TranscriptBoxProps) {
  if (text === undefined) {
    return (
      <div className="h-44 space-y-3 p-4">
        {['w-11/12', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
    )
  }
  if (text === '' && isGrowing) {
    // As high as the words that come, so that nothing below moves when they do.
    return <p className="h-44 p-4 text-sm text-ink-soft">What is said in the video appears here as it is heard.</p>
  }
  if (text === '') return <p className="p-4 text-sm text-ink-soft">There is no transcript for this video.</p>
  return (
    <div
      role="group"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-labelledby="transcript-heading"
      className="h-44 overflow-y-auto rounded-b-card p-4 text-sm leading-relaxed"
    >
      {segments.length === 0 ? <p>{text}</p> : <TimedText segments={segments} />}
    </div>
  )
}

function TimedText({ segments }: { segments: readonly TranscriptSegment[] }) {
  return (
    <ul className="grid grid-cols-1 gap-2">
      {segments.map((segment) => (
        <li key={segment.id} className="flex gap-4">
          <span className="shrink-0 pt-px text-xs leading-relaxed text-ink-faint tabular-nums">
            {formatTime(segment.start)}
          </span>
          <span className="min-w-0">{segment.text}</span>
        </li>
      ))}
    </ul>
  )
}
