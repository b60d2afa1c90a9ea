import type { Step } from '#contract/step.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { Card } from '#web/ui/card.tsx'

/** Steps that are already written while the rest is still being made. */
export function FoundSoFar({ steps }: { steps: readonly Pick<Step, 'id' | 'title' | 'start'>[] }) {
  if (steps.length === 0) return null
  return (
    <Card className="p-5">
      <section aria-labelledby="found-heading">
        <h2 id="found-heading" className="font-semibold">
          Steps found so far <span className="font-normal text-ink-faint tabular-nums">{steps.length}</span>
        </h2>
        <ol className="mt-3 grid gap-2 text-sm">
          {steps.map((step) => (
            <li key={step.id} className="flex animate-rise gap-3">
              <span className="text-ink-faint tabular-nums">{formatTime(step.start)}</span>
              <span className="min-w-0 flex-1">{step.title}</span>
            </li>
          ))}
        </ol>
      </section>
    </Card>
  )
}
