import { useQuery } from '@tanstack/react-query'
import type { AiUseAnswer, Health } from '#contract/debug.ts'
import { useApi } from '#web/lib/api.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { aiUseQuery, healthQuery } from './debug-queries.ts'

const PARTS = [
  ['d1', 'Database'],
  ['r2', 'Storage'],
  ['queues', 'Queues'],
  ['durableObjects', 'Live rooms'],
  ['ai', 'AI'],
] as const satisfies readonly (readonly [keyof Health, string])[]

/** How the parts of the platform are. */
export function HealthCard() {
  const { data, isPending, isError } = useQuery(healthQuery(useApi()))
  return (
    <Card className="p-5">
      <section aria-labelledby="health-heading">
        <h2 id="health-heading" className="font-semibold">
          Health
        </h2>
        <div className="mt-3 min-h-32 text-sm">
          {data !== undefined && !isError && <Parts health={data} />}
          {isPending && (
            <div role="status">
              <span className="sr-only">Loading health</span>
              <Skeleton className="h-32" />
            </div>
          )}
          {isError && (
            <p role="alert" className="text-danger-ink">
              Adapt's server does not answer.
            </p>
          )}
        </div>
      </section>
    </Card>
  )
}

function Parts({ health }: { health: Health }) {
  return (
    <dl className="grid gap-2">
      {PARTS.map(([part, label]) => (
        // What is long stands below its label.
        <div key={part} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-ink-soft">{label}</dt>
          <dd className={`wrap-anywhere ${inkOf(health[part])}`}>{health[part]}</dd>
        </div>
      ))}
      <div className="flex flex-wrap justify-between gap-x-4">
        <dt className="text-ink-soft">Version</dt>
        <dd className="wrap-anywhere tabular-nums">
          {health.version.slice(0, VERSION_CHARS)} · {health.environment}
        </dd>
      </div>
    </dl>
  )
}

/** A short commit has this length, and it is enough to distinguish Cloudflare's version ids. */
const VERSION_CHARS = 8

/** A service that has not been called yet is neither healthy nor failing. */
function inkOf(status: string): string {
  if (status === 'ok') return 'text-brand-ink'
  return status === 'not called yet' ? 'text-ink-soft' : 'text-danger-ink'
}

/** The dearest days of modules that are shown. */
const SHOWN = 5
const USD = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 3 })

/** What the models did in the last thirty days, and about what that costs. */
export function AiUseCard() {
  const { data, isPending, isFetching, refetch } = useQuery(aiUseQuery(useApi()))
  return (
    <Card className="p-5">
      <section aria-labelledby="ai-use-heading">
        <h2 id="ai-use-heading" className="font-semibold">
          AI use, last 30 days
        </h2>
        <div className="mt-3 min-h-32 text-sm">
          {data !== undefined && <Use answer={data} />}
          {data === undefined && isPending && (
            <div role="status">
              <span className="sr-only">Loading AI use</span>
              <Skeleton className="h-32" />
            </div>
          )}
          {data === undefined && !isPending && (
            <LoadFailure
              message="Failed to load AI use"
              retryLabel="Load AI use again"
              isBusy={isFetching}
              onRetry={() => refetch()}
            />
          )}
        </div>
      </section>
    </Card>
  )
}

function Use({ answer: { rows, totalUsd } }: { answer: AiUseAnswer }) {
  if (rows.length === 0) return <p className="text-ink-soft">No model has been asked anything.</p>
  return (
    <>
      <p className="text-2xl font-semibold tabular-nums">{USD.format(totalUsd)}</p>
      <p className="text-xs text-ink-soft">estimated by the list prices of Workers AI</p>
      <ul className="mt-3 grid gap-2">
        {rows
          .slice(0, SHOWN)
          .map(({ moduleId, day, title, transcribedMinutes, writtenSections, modelAnswers, estimatedUsd }) => (
            <li key={`${moduleId} ${day}`} className="flex justify-between gap-4">
              <span className="min-w-0">
                <span className="block truncate">{title}</span>
                <span className="block text-xs text-ink-soft tabular-nums">
                  {day} · {transcribedMinutes.toFixed(1)} min audio · {writtenSections} sections · {modelAnswers}{' '}
                  answers
                </span>
              </span>
              <span className="tabular-nums">{USD.format(estimatedUsd)}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
