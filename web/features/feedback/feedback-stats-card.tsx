import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { FeedbackStatsAnswer, FeedbackType, RecentFeedback } from '#contract/feedback/feedback.ts'
import { RECENT_FEEDBACK_MAX } from '#contract/limits.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { SectionCard } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Loaded } from '#web/ui/notice.tsx'
import { ACTION_LOOKS, KIND_LABELS, SUGGESTION_LOOK } from './feedback-labels.ts'
import { feedbackStatsQuery } from './feedback-stats-query.ts'

export function FeedbackStatsCard({ className = '' }: { className?: string }) {
  const query = useQuery(feedbackStatsQuery(useApi()))
  const failure = { what: m.feedback_stats(), retryLabel: m.try_again(), className: 'mt-3 min-h-40' }
  return (
    <SectionCard title={m.feedback()} className={`@container p-5 ${className}`}>
      <Loaded query={query} {...failure} skeleton={<StatsSkeleton />}>
        {({ stats, recentFeedback }) => (
          <Columns>
            <Figures stats={stats} />
            <FeedbackCounts byType={stats.byType} suggestions={stats.suggestions} />
            <RecentFeedbackList items={recentFeedback} />
          </Columns>
        )}
      </Loaded>
    </SectionCard>
  )
}

/** Figures, counts and newest beside each other where there is room; of one height with what holds their place. */
function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="mt-3 grid min-h-40 grid-cols-1 gap-x-8 gap-y-5 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] @5xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,6fr)]">
      {children}
    </div>
  )
}

function Figures({ stats: { total, positive } }: { stats: FeedbackStatsAnswer['stats'] }) {
  const figures = [
    [m.total_feedback(), String(total)],
    [m.positive(), String(positive)],
    [m.success_rate(), formatRate(positive, total)],
  ] as const
  return (
    <dl className="grid grid-cols-3 content-start gap-2 @sm:gap-3 @2xl:col-span-full @5xl:col-span-1">
      {figures.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse justify-end rounded-control bg-sunken p-2 @sm:p-3">
          <dt className="text-xs text-ink-soft">{name}</dt>
          <dd className="text-lg font-semibold tabular-nums @sm:text-2xl">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** `positive / total` as a percentage with one decimal. @see specification §9 */
function formatRate(positive: number, total: number): string {
  const share = total === 0 ? 0 : positive / total
  return share.toLocaleString(m.language_tag(), {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
}

function StatsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">{m.loading_feedback_stats()}</span>
      <Columns>
        {['figures', 'counts', 'newest'].map((place) => (
          <Skeleton key={place} className="h-28" />
        ))}
      </Columns>
    </div>
  )
}

type Counts = Pick<FeedbackStatsAnswer['stats'], 'byType' | 'suggestions'>

function FeedbackCounts({ byType, suggestions }: Counts) {
  const counts = Object.entries(byType) as [FeedbackType, number][]
  const most = Math.max(1, ...counts.map(([, count]) => count))
  return (
    <div className="min-w-0">
      <h3 className="text-sm font-medium">{m.by_type()}</h3>
      <dl className="mt-2 grid gap-1.5 text-sm">
        {counts.map(([type, count]) => (
          <div key={type} className="grid grid-cols-[minmax(0,1fr)_4rem_2.5rem] items-center gap-3">
            <dt className="truncate text-ink-soft">{KIND_LABELS[type]}</dt>
            <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
              <div className="h-full rounded-full bg-brand" style={{ width: `${(count / most) * 100}%` }} />
            </div>
            <dd className="text-end font-medium tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      {suggestions > 0 && (
        <p className="mt-2 text-sm text-ink-soft">{m.suggestions_in_words({ count: suggestions })}</p>
      )}
    </div>
  )
}

function RecentFeedbackList({ items }: { items: readonly RecentFeedback[] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm font-medium">{m.most_recent()}</h3>
      {items.length === 0 ? (
        <div className="mt-2 text-sm text-ink-soft">
          <p>{m.no_feedback_yet()}</p>
          <p>{m.ratings_and_suggestions_on_your()}</p>
        </div>
      ) : (
        <ul className="mt-2 grid grid-cols-1 gap-2.5">
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
        {item.message !== null && (
          <p dir="auto" className="line-clamp-2 text-ink-soft">
            “{item.message}”
          </p>
        )}
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
