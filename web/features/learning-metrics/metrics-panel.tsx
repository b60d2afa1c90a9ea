import { useQuery } from '@tanstack/react-query'
import type { LearningMetricsAnswer } from '#contract/learning.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { formatCount } from '#web/lib/format-count.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ExportMenu } from './export-menu.tsx'
import { LearningCurve } from './learning-curve.tsx'
import { metricsQuery } from './metrics-query.ts'
import { RemoveLearner } from './remove-learner.tsx'
import { StepTable } from './step-table.tsx'
import { ThresholdForm } from './threshold-form.tsx'

interface MetricsPanelProps {
  moduleId: string
  /** Length of the video; null while it is not known. */
  durationS: number | null
}

/** What became of a module with its learners, for its owner. */
export function MetricsPanel({ moduleId, durationS }: MetricsPanelProps) {
  const { data, isPending, isFetching, refetch } = useQuery(metricsQuery(useApi(), moduleId))
  const hasLearners = data !== undefined && data.learners > 0
  return (
    <Card className="@container p-4 sm:p-5">
      <section aria-labelledby="learners-heading">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
          <h2 id="learners-heading" className="font-semibold">
            Learners
          </h2>
          {hasLearners && <ExportMenu moduleId={moduleId} />}
        </div>
        {data !== undefined && (
          <>
            {hasLearners ? <Figures metrics={data} /> : <NobodyYet />}
            {data.selfReported > 0 && <SelfReported count={data.selfReported} />}
            <ThresholdForm moduleId={moduleId} completionPercent={data.completionPercent} />
            {hasLearners && durationS !== null && <LearningCurve metrics={data} durationS={durationS} />}
            {hasLearners && data.steps.length > 0 && <StepTable metrics={data} />}
            {hasLearners && <RemoveLearner moduleId={moduleId} />}
          </>
        )}
        {data === undefined && isPending && <MetricsSkeleton />}
        {data === undefined && !isPending && (
          <LoadFailure
            message="Failed to load learners"
            retryLabel="Load learners again"
            isBusy={isFetching}
            onRetry={() => refetch()}
            className="mt-3 min-h-18"
          />
        )}
      </section>
    </Card>
  )
}

function Figures({ metrics: { learners, completed, meanPercent } }: { metrics: LearningMetricsAnswer }) {
  const figures = [
    ['Learners', formatCount(learners)],
    ['Completed', formatCount(completed)],
    ['Watched on average', meanPercent === null ? '–' : `${meanPercent}%`],
  ] as const
  return (
    <dl className="mt-3 grid gap-1.5 @2xs:grid-cols-3 @2xs:gap-3">
      {figures.map(([name, value]) => (
        <div
          key={name}
          className="flex items-center justify-between rounded-control bg-sunken px-3 py-2 @2xs:flex-col-reverse @2xs:items-start @2xs:justify-end @2xs:py-3"
        >
          <dt className="text-xs text-ink-soft">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums @sm:text-2xl">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function SelfReported({ count }: { count: number }) {
  return (
    <p className="mt-2 text-xs text-ink-soft">
      {count === 1 ? '1 more learner has' : `${formatCount(count)} more learners have`} completed it with playback that
      their browser reported later, for example after watching offline (self-reported).
    </p>
  )
}

function NobodyYet() {
  return (
    <p className="mt-2 text-sm text-ink-soft">
      No views yet. Share the link: what learners watch appears here, without their names. What you watch yourself is
      not counted.
    </p>
  )
}

/** As high as the metrics that replace it. */
export function MetricsSkeleton() {
  return (
    <div role="status" className="mt-3 grid grid-cols-3 gap-3">
      <span className="sr-only">Loading learners</span>
      {['learners', 'completed', 'mean'].map((place) => (
        <Skeleton key={place} className="h-18" />
      ))}
    </div>
  )
}
