import { PencilLine, ScrollText } from 'lucide-react'
import { type UIEventHandler, useRef, useState } from 'react'
import type { TranscriptSegment, UnfitCorrection } from '#contract/transcript.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { OpenLine } from './correctable-lines.tsx'
import { CorrectionMode, type Corrector, findLineAt } from './correction-mode.tsx'
import { UnfitNotice } from './unfit-notice.tsx'

interface TranscriptBoxProps {
  /** Everything that was said; undefined while it loads. */
  text: string | undefined
  /** The same with times, where they could be loaded. */
  segments: readonly TranscriptSegment[]
  /** Whether more is still being heard. */
  isGrowing: boolean
  /** For owners, who may correct what was heard. */
  corrector?: Corrector | undefined
}

const CHARS = new Intl.NumberFormat('en-US')

/** What was said, with its length. Its owner can correct it line by line. */
export function TranscriptBox({ text, segments, isGrowing, corrector }: TranscriptBoxProps) {
  const [isAsked, setIsAsked] = useState(false)
  const [open, setOpen] = useState<OpenLine | null>(null)
  /** How far the reader has come, 0–1, so that correcting begins there. */
  const readShare = useRef(0)
  const [startShare, setStartShare] = useState(0)
  const canCorrect = corrector !== undefined && !isGrowing && segments.length > 0
  const isCorrecting = canCorrect && isAsked
  function toggle() {
    setStartShare(readShare.current)
    setIsAsked(!isCorrecting)
  }
  function openUnfit(unfit: UnfitCorrection) {
    setIsAsked(true)
    setOpen(findLineAt(segments, unfit))
  }
  return (
    <Card>
      <section aria-labelledby="transcript-heading">
        <div className="flex min-h-13 flex-wrap items-center gap-x-2.5 border-b border-line py-2 pr-2 pl-4">
          <ScrollText aria-hidden="true" className="size-4 text-ink-faint" />
          <h2 id="transcript-heading" className="font-semibold">
            Transcript
          </h2>
          {text !== undefined && (
            <span className="truncate text-sm text-ink-faint tabular-nums">{CHARS.format(text.length)} characters</span>
          )}
          <span className="ml-auto flex">
            {/* An open line has its own ways to end. */}
            {canCorrect && open === null && (
              <Button
                variant={isCorrecting ? 'secondary' : 'ghost'}
                size="small"
                onClick={toggle}
                aria-label={isCorrecting ? 'Done correcting the transcript' : 'Correct the transcript'}
              >
                {!isCorrecting && <PencilLine aria-hidden="true" className="size-4" />}
                {isCorrecting ? 'Done' : 'Correct'}
              </Button>
            )}
            {text && <CopyButton text={text} variant="ghost" size="small" />}
          </span>
        </div>
        {canCorrect && corrector.unfit.length > 0 && (
          <UnfitNotice moduleId={corrector.moduleId} unfit={corrector.unfit} onUse={openUnfit} />
        )}
        {isCorrecting ? (
          <CorrectionMode {...{ segments, corrector, open }} onOpen={setOpen} startShare={startShare} />
        ) : (
          <TranscriptText
            {...{ text, segments, isGrowing }}
            onScroll={({ currentTarget }) => {
              readShare.current = currentTarget.scrollTop / currentTarget.scrollHeight
            }}
          />
        )}
      </section>
    </Card>
  )
}

interface TranscriptTextProps extends Omit<TranscriptBoxProps, 'corrector'> {
  onScroll: UIEventHandler<HTMLElement>
}

function TranscriptText({ text, segments, isGrowing, onScroll }: TranscriptTextProps) {
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
      onScroll={onScroll}
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
