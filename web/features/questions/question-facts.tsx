import { Play } from 'lucide-react'
import type { QuestionGroup } from '#contract/questions.ts'
import { formatDate } from '#web/lib/format-date.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { Badge } from '#web/ui/badge.tsx'

interface QuestionFactsProps {
  group: QuestionGroup
  onPlay: ((seconds: number) => void) | undefined
}

/** What was asked, how often, where in the video, and whether the tutor could answer. */
export function QuestionFacts({ group, onPlay }: QuestionFactsProps) {
  const { text, wordings, moments, lastAskedAt } = group
  const answer = describeAnswer(group)
  return (
    <>
      <p className="font-medium wrap-anywhere">{text}</p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm text-ink-soft">
        {answer !== null && <Badge tone={answer.tone}>{answer.text}</Badge>}
        <span>{describeCount(group)}</span>
        <span className="text-ink-faint">
          {group.count > 1 && 'last on '}
          <time dateTime={lastAskedAt}>{formatDate(lastAskedAt)}</time>
        </span>
        {onPlay !== undefined && moments.map((atS) => <Moment key={atS} {...{ atS, onPlay }} />)}
      </div>
      {wordings.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="inline-block min-h-6 cursor-pointer rounded-chip text-ink-soft hover:text-ink">
            Other wordings
          </summary>
          <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-ink-soft marker:text-ink-faint">
            {wordings.map((wording) => (
              <li key={wording} className="wrap-anywhere">
                {wording}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function describeCount({ count, people }: QuestionGroup): string {
  if (count === 1) return 'Asked once'
  return `Asked ${count} times by ${people === 1 ? 'one person' : `${people} people`}`
}

/** Nothing where all were answered from the video. */
function describeAnswer({ count, answered, notCovered }: QuestionGroup) {
  if (notCovered === count || (notCovered > 0 && answered === 0))
    return { tone: 'warn', text: 'Not in the video' } as const
  if (notCovered > 0) return { tone: 'warn', text: `Not in the video: ${notCovered} of ${count}` } as const
  return answered > 0 ? null : ({ tone: 'neutral', text: 'Got no answer' } as const)
}

function Moment({ atS, onPlay }: { atS: number; onPlay: (seconds: number) => void }) {
  const time = formatTime(atS)
  return (
    <button
      type="button"
      aria-label={`Play from ${time}`}
      onClick={() => onPlay(atS)}
      className="inline-flex min-h-6 items-center gap-1 rounded-chip bg-brand-soft px-1.5 text-xs font-medium text-brand-ink tabular-nums hover:bg-brand hover:text-on-brand"
    >
      <Play aria-hidden="true" className="size-3 shrink-0" fill="currentColor" />
      {time}
    </button>
  )
}
