import { useQuery } from '@tanstack/react-query'
import type { LearningMetricsAnswer, StepMetrics } from '#contract/learning.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatCount } from '#web/lib/format/format-number.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { LearningCurve } from './learning-curve.tsx'
import { ExportMenu, metricsQuery, ThresholdForm } from './metrics-actions.tsx'

/**
 * What became of a module with its learners, for its owner.
 * @param durationS of the video; null while it is not known
 */
export function MetricsPanel({ moduleId, durationS }: { moduleId: string; durationS: number | null }) {
  const { data, isPending, isFetching, refetch } = useQuery(metricsQuery(useApi(), moduleId))
  const hasLearners = data !== undefined && data.learners > 0
  return (
    <Card className="@container p-4 sm:p-5">
      <section aria-labelledby="learners-heading">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
          <h2 id="learners-heading" className="font-semibold">
            {m.learners_heading()}
          </h2>
          {hasLearners && <ExportMenu moduleId={moduleId} />}
        </div>
        {data !== undefined && (
          <>
            {hasLearners && <Figures metrics={data} />}
            {!hasLearners && <p className="mt-2 text-sm text-ink-soft">{m.no_views_yet_share_the()}</p>}
            {data.selfReported > 0 && <SelfReported count={data.selfReported} />}
            <ThresholdForm moduleId={moduleId} completionPercent={data.completionPercent} />
            {hasLearners && durationS !== null && <LearningCurve metrics={data} durationS={durationS} />}
            {hasLearners && data.steps.length > 0 && <StepTable metrics={data} />}
          </>
        )}
        {data === undefined && isPending && <MetricsSkeleton />}
        {data === undefined && !isPending && (
          <LoadFailure
            message={m.failed_to_load_learners()}
            retryLabel={m.load_learners_again()}
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
    [m.learners_heading(), formatCount(learners)],
    [m.completed_state(), formatCount(completed)],
    [m.watched_on_average(), meanPercent === null ? '–' : `${meanPercent}%`],
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
  return <p className="mt-2 text-xs text-ink-soft">{m.self_reported_learners({ count, shown: formatCount(count) })}</p>
}

/** As high as the metrics that replace it. */
function MetricsSkeleton() {
  return (
    <div role="status" className="mt-3 grid grid-cols-3 gap-3">
      <span className="sr-only">{m.loading_learners()}</span>
      {['learners', 'completed', 'mean'].map((place) => (
        <Skeleton key={place} className="h-18" />
      ))}
    </div>
  )
}

const COLUMNS = [
  ['reached', m.reached()],
  ['finished', m.finished()],
  ['rewatched', m.rewatched()],
  ['left', m.left_here()],
  ['questions', m.questions()],
  ['reports', m.reports()],
] as const satisfies readonly (readonly [keyof StepMetrics, string])[]

/** Of these everybody could be one, so their share says more than their number. */
const SHARED: ReadonlySet<string> = new Set(['reached', 'finished'])

function StepTable({ metrics: { steps, learners, isCounting } }: { metrics: LearningMetricsAnswer }) {
  return (
    <>
      <div
        role="region"
        aria-label={m.steps_in_numbers()}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
        tabIndex={0}
        className="mt-5 overflow-x-auto rounded-control border border-line"
      >
        <table className="w-full min-w-[31rem] border-separate border-spacing-0 text-sm">
          <caption className="sr-only">{m.what_became_of_each_step()}</caption>
          <thead className="text-xs text-ink-soft">
            <tr>
              <th scope="col" className={`${FIRST} bg-sunken py-2 text-start font-medium`}>
                {m.step_noun()}
              </th>
              {COLUMNS.map(([name, label]) => (
                <th
                  key={name}
                  scope="col"
                  className="bg-sunken px-2 py-2 text-end font-medium whitespace-nowrap last:pe-3"
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step, index) => (
              <StepRow key={step.stepId} step={step} number={index + 1} learners={learners} />
            ))}
          </tbody>
        </table>
      </div>
      {isCounting && (
        <p role="status" className="mt-2 text-xs text-ink-soft">
          {m.steps_were_changed_their_numbers()}
        </p>
      )}
      <p className="mt-2 text-xs text-ink-faint">{m.left_here_learners_who_have()}</p>
    </>
  )
}

/** Stays in sight while the numbers are scrolled on a narrow screen, and leaves room for some of them. */
const FIRST = 'sticky start-0 w-34 min-w-34 px-3 @md:w-auto @md:min-w-48'

function StepRow({ step, number, learners }: { step: StepMetrics; number: number; learners: number }) {
  return (
    <tr>
      <th
        scope="row"
        className={`${FIRST} border-t border-line bg-surface py-2 text-start font-medium hyphens-auto wrap-anywhere`}
      >
        <span className="line-clamp-4 @md:line-clamp-none">
          <span className="me-2 text-ink-faint tabular-nums">{number}</span>
          {step.title}
        </span>
        <span className="block text-xs font-normal text-ink-faint tabular-nums">{formatTime(step.start)}</span>
      </th>
      {COLUMNS.map(([name]) => (
        <td key={name} className="border-t border-line px-2 py-2 text-end align-top tabular-nums last:pe-3">
          {formatCount(step[name])}
          {SHARED.has(name) && (
            <span className="block text-xs text-ink-faint">{Math.round((step[name] * 100) / learners)}%</span>
          )}
        </td>
      ))}
    </tr>
  )
}
