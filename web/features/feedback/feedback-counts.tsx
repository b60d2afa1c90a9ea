import type { FeedbackStatsAnswer, FeedbackType } from '#contract/feedback.ts'
import { KIND_LABELS } from './feedback-labels.ts'

interface FeedbackCountsProps {
  byType: FeedbackStatsAnswer['stats']['byType']
  suggestions: number
}

/** Shows the number of answers per type. */
export function FeedbackCounts({ byType, suggestions }: FeedbackCountsProps) {
  const counts = Object.entries(byType) as [FeedbackType, number][]
  const most = Math.max(1, ...counts.map(([, count]) => count))
  return (
    <div className="min-w-0">
      <h3 className="text-sm font-medium">By type</h3>
      <dl className="mt-2 grid gap-1.5 text-sm">
        {counts.map(([type, count]) => (
          <div key={type} className="grid grid-cols-[minmax(0,1fr)_4rem_2.5rem] items-center gap-3">
            <dt className="truncate text-ink-soft">{KIND_LABELS[type]}</dt>
            <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
              <div className="h-full rounded-full bg-brand" style={{ width: `${(count / most) * 100}%` }} />
            </div>
            <dd className="text-right font-medium tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      {suggestions > 0 && (
        <p className="mt-2 text-sm text-ink-soft">
          {suggestions === 1 ? '1 suggestion in words' : `${suggestions} suggestions in words`}
        </p>
      )}
    </div>
  )
}
