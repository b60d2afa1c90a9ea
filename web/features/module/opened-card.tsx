import { CircleCheck, X } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { OpenedModule } from '#contract/opened-module.ts'
import { formatDate } from '#web/lib/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { ModulePoster } from './module-poster.tsx'

/** A training to go on with. */
export function OpenedCard({ module, onRemove }: { module: OpenedModule; onRemove: () => void }) {
  const { title, trainingUrl, posterUrl, openedAt } = module
  return (
    <Card className="flex h-full gap-3 p-3 transition-shadow duration-200 hover:shadow-lift">
      {/* For the pointer only: the title beside it is the link for everybody else. */}
      <Link to={trainingUrl} tabIndex={-1} aria-hidden="true" className="shrink-0 self-start">
        <ModulePoster posterUrl={posterUrl} className="aspect-video w-28 rounded-control border border-line" />
      </Link>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h3 className="leading-snug font-semibold wrap-anywhere" title={title}>
          <Link to={trainingUrl} className="line-clamp-2 rounded-chip hover:underline">
            {title}
          </Link>
        </h3>
        <p className="text-sm text-ink-faint tabular-nums">Opened {formatDate(openedAt)}</p>
        <SeenPart module={module} />
      </div>
      <Button
        variant="ghost"
        size="small"
        className="-mt-1 -mr-1 w-8 shrink-0 px-0!"
        aria-label={`Remove from this list: ${title}`}
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </Button>
    </Card>
  )
}

function SeenPart({ module: { title, seenSeconds, totalDuration, completedAt } }: { module: OpenedModule }) {
  if (completedAt !== null) {
    return (
      <p className="mt-auto flex items-center gap-1.5 text-sm font-medium text-brand-ink">
        <CircleCheck aria-hidden="true" className="size-4" />
        Completed
      </p>
    )
  }
  if (totalDuration === null || totalDuration === 0) return null
  const percent = Math.min(100, Math.floor((100 * seenSeconds) / totalDuration))
  return (
    <div className="mt-auto flex items-center gap-2.5">
      <Progress value={percent} label={`Seen of ${title}`} look="line" />
      <span className="shrink-0 text-sm text-ink-soft tabular-nums">{percent}% seen</span>
    </div>
  )
}
