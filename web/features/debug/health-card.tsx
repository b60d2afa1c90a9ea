import { useQuery } from '@tanstack/react-query'
import type { Health } from '#contract/health.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { healthQuery } from './debug-queries.ts'

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
