import { useQuery } from '@tanstack/react-query'
import type { Health } from '#contract/debug.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { formatDuration } from '#web/lib/format/format-duration.ts'
import { SectionCard } from '#web/ui/card.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { healthQuery } from './debug-queries.ts'

const PARTS = [
  ['d1', m.database()],
  ['r2', m.storage()],
  ['queues', m.queues()],
  ['durableObjects', m.live_rooms()],
  ['ai', 'AI'],
] as const satisfies readonly (readonly [keyof Health, string])[]

export function HealthCard() {
  const { data, isPending, isError } = useQuery(healthQuery(useApi()))
  return (
    <SectionCard title={m.health_heading()} className="p-5">
      <div className="mt-3 min-h-32 text-sm">
        {data !== undefined && !isError && <Parts health={data} />}
        {isPending && <LoadingSkeleton what={m.health_noun()} className="h-32" />}
        {isError && (
          <p role="alert" className="text-danger-ink">
            {m.adapts_server_does_not_answer()}
          </p>
        )}
      </div>
    </SectionCard>
  )
}

/** A short commit has this length, and it is enough to distinguish Cloudflare's version ids. */
const VERSION_CHARS = 8

function Parts({ health }: { health: Health }) {
  const version = `${health.version.slice(0, VERSION_CHARS)} · ${health.environment}`
  const parts = PARTS.map(([part, label]) => [label, health[part], inkOf(health[part])] as const)
  const facts = [
    [m.version(), version, 'tabular-nums'],
    // Of the isolate that answered: Cloudflare ends and begins them as calls come.
    [m.uptime(), formatDuration(health.uptime * 1_000), 'tabular-nums'],
  ] as const
  return (
    <dl className="grid gap-2">
      {[...parts, ...facts].map(([label, value, look]) => (
        // What is long stands below its label.
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-ink-soft">{label}</dt>
          <dd className={`wrap-anywhere ${look}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A service that has not been called yet is neither healthy nor failing. */
function inkOf(status: string): string {
  if (status === 'ok') return 'text-brand-ink'
  return status === 'not called yet' ? 'text-ink-soft' : 'text-danger-ink'
}
