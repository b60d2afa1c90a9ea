import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FeedbackStatsAnswer } from '#contract/feedback.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FeedbackCounts } from './feedback-counts.tsx'
import { feedbackStatsQuery } from './feedback-stats-query.ts'
import { RecentFeedbackList } from './recent-feedback-list.tsx'

/** Summarises the feedback on the caller's trainings. */
export function FeedbackStatsCard({ className = '' }: { className?: string }) {
  const { data, isPending, isFetching, refetch } = useQuery(feedbackStatsQuery(useApi()))
  return (
    <Card className={`@container p-5 ${className}`}>
      <section aria-labelledby="feedback-stats-heading">
        <h2 id="feedback-stats-heading" className="font-semibold">
          Feedback
        </h2>
        {data !== undefined && <Stats answer={data} />}
        {data === undefined && isPending && <StatsSkeleton />}
        {data === undefined && !isPending && (
          <LoadFailure
            message="Failed to load feedback stats"
            retryLabel="Try again"
            isBusy={isFetching}
            onRetry={() => refetch()}
            className="mt-3 min-h-40"
          />
        )}
      </section>
    </Card>
  )
}

/** Figures, counts and newest beside each other where there is room; of one height with what holds their place. */
function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="mt-3 grid min-h-40 gap-x-8 gap-y-5 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] @5xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,6fr)]">
      {children}
    </div>
  )
}

function Stats({ answer: { stats, recentFeedback } }: { answer: FeedbackStatsAnswer }) {
  return (
    <Columns>
      <Figures stats={stats} />
      <FeedbackCounts byType={stats.byType} suggestions={stats.suggestions} />
      <RecentFeedbackList items={recentFeedback} />
    </Columns>
  )
}

function Figures({ stats: { total, positive } }: { stats: FeedbackStatsAnswer['stats'] }) {
  const figures = [
    ['Total Feedback', String(total)],
    ['Positive', String(positive)],
    ['Success Rate', formatRate(positive, total)],
  ] as const
  return (
    <dl className="grid grid-cols-3 content-start gap-3 @2xl:col-span-full @5xl:col-span-1">
      {figures.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse justify-end rounded-control bg-sunken p-3">
          <dt className="text-xs text-ink-soft">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums @sm:text-2xl">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** One decimal; a dash where nothing has been rated. @see specification §9 */
function formatRate(positive: number, total: number): string {
  return total === 0 ? '–' : `${((positive / total) * 100).toFixed(1)}%`
}

function StatsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading feedback stats</span>
      <Columns>
        {['figures', 'counts', 'newest'].map((place) => (
          <Skeleton key={place} className="h-28" />
        ))}
      </Columns>
    </div>
  )
}
