import { Link } from 'react-router-dom'
import type { RecentFeedback } from '#contract/feedback.ts'
import { RECENT_FEEDBACK_MAX } from '#contract/limits.ts'
import { formatDate } from '#web/lib/format-date.ts'
import { ACTION_LOOKS, KIND_LABELS, SUGGESTION_LOOK } from './feedback-labels.ts'

/** The newest feedback, with what was written. */
export function RecentFeedbackList({ items }: { items: readonly RecentFeedback[] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm font-medium">Most recent</h3>
      {items.length === 0 ? (
        <p className="mt-2 text-sm text-ink-soft">
          No feedback yet. Ratings and suggestions on your training pages appear here.
        </p>
      ) : (
        <ul className="mt-2 grid gap-2.5">
          {items.slice(0, RECENT_FEEDBACK_MAX).map((item) => (
            <RecentItem key={item.id} item={item} />
          ))}
        </ul>
      )}
    </div>
  )
}

function RecentItem({ item }: { item: RecentFeedback }) {
  const { icon: Icon, label, tone } = item.action === null ? SUGGESTION_LOOK : ACTION_LOOKS[item.action]
  return (
    <li className="flex gap-3 text-sm">
      <span className={`mt-0.5 inline-flex size-7 shrink-0 items-center justify-center rounded-full ${tone}`}>
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
      <div className="min-w-0">
        <p className="truncate">
          <span className="font-medium">{label}</span>
          {item.action !== null && <span className="text-ink-soft"> · {KIND_LABELS[item.type]}</span>}
        </p>
        {item.message !== null && <p className="line-clamp-2 text-ink-soft">“{item.message}”</p>}
        <p className="truncate text-xs text-ink-faint tabular-nums">
          {formatDate(item.timestamp)}
          {item.moduleId !== null && item.moduleTitle !== null && (
            <>
              {' · '}
              <Link
                to={`/training/${encodeURIComponent(item.moduleId)}`}
                className="rounded-chip hover:text-ink hover:underline"
              >
                {item.moduleTitle}
              </Link>
            </>
          )}
        </p>
      </div>
    </li>
  )
}
