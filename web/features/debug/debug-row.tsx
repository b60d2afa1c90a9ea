import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { DebugModule } from '#contract/debug.ts'
import { useReprocessModule } from '#web/lib/change-module.ts'
import { formatDate } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge, type BadgeTone, Card } from '#web/ui/card.tsx'
import { DEBUG_KEY } from './debug-queries.ts'
import { DebugTimeline } from './debug-timeline.tsx'

const LOOKS: Record<DebugModule['status'], { label: string; tone: BadgeTone }> = {
  PROCESSING: { label: 'Processing', tone: 'accent' },
  READY: { label: 'Ready', tone: 'brand' },
  FAILED: { label: 'Failed', tone: 'danger' },
  orphaned: { label: 'Orphaned', tone: 'neutral' },
}

/** One module: how it is, what is wrong, and what can be done. */
export function DebugRow({ module }: { module: DebugModule }) {
  const [isOpen, setIsOpen] = useState(false)
  const detailsId = useId()
  const { label, tone } = LOOKS[module.status]
  return (
    <li>
      <Card className="@container overflow-hidden">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4">
          <div className="min-w-0 flex-1 basis-64">
            <div className="flex flex-wrap items-center gap-2">
              <Link to={module.trainingUrl} className="font-medium wrap-anywhere hover:underline">
                {module.title}
              </Link>
              <Badge tone={tone}>{label}</Badge>
              {module.isStuck && <Badge tone="warn">Stuck</Badge>}
              {module.needsAttention && !module.isStuck && <Badge tone="warn">Needs attention</Badge>}
            </div>
            <p className="mt-1 text-sm text-ink-soft wrap-anywhere">{whatHappened(module)}</p>
            <Facts module={module} />
          </div>
          <div className="flex flex-wrap gap-2">
            {module.mayRetry && <RetryButton module={module} />}
            <Button
              variant="ghost"
              size="small"
              aria-expanded={isOpen}
              aria-controls={detailsId}
              onClick={() => setIsOpen(!isOpen)}
            >
              Timeline<span className="sr-only"> of {module.title}</span>
              <ChevronDown aria-hidden="true" className={`size-4 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
            </Button>
          </div>
        </div>
        <div id={detailsId}>{isOpen && <DebugTimeline moduleId={module.id} />}</div>
      </Card>
    </li>
  )
}

function whatHappened({ status, lastError, message, progress, stepsCount }: DebugModule): string {
  if (status === 'FAILED') return lastError ?? 'It failed, and left no reason.'
  if (status === 'orphaned') return 'Its upload has stood still for a day; it is about to be removed.'
  if (status === 'READY') return stepsCount === 0 ? 'It is ready, but has no steps.' : 'It is ready.'
  return `${progress}% · ${message}`
}

function Facts({ module }: { module: DebugModule }) {
  const facts = [
    ['Steps', module.stepsCount],
    ['Questions', module.questionsCount],
    ['Feedback', module.feedbacksCount],
  ] as const
  return (
    <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-faint">
      {facts.map(([name, count]) => (
        <div key={name} className="flex gap-1">
          <dt>{name}</dt>
          <dd className="font-medium text-ink-soft tabular-nums">{count}</dd>
        </div>
      ))}
      <div className="flex gap-1">
        <dt>Created</dt>
        <dd className="text-ink-soft tabular-nums">{formatDate(module.createdAt)}</dd>
      </div>
      <div className="flex min-w-0 gap-1">
        <dt>By</dt>
        <dd className="truncate font-mono text-ink-soft">{module.userId}</dd>
      </div>
    </dl>
  )
}

/** Resumes a failed run where it broke off; starts any other module from the beginning. */
function RetryButton({ module }: { module: DebugModule }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useReprocessModule({
    onBegun: () => queryClient.invalidateQueries({ queryKey: DEBUG_KEY }),
  })
  const isBroken = module.status === 'FAILED' || module.isStuck
  if (module.status === 'PROCESSING' && !module.isStuck) return null
  return (
    <Button
      variant="secondary"
      size="small"
      isBusy={isPending}
      onClick={() => mutate({ moduleId: module.id, from: isBroken ? 'failed' : 'start' })}
    >
      <RotateCcw aria-hidden="true" className="size-4" />
      {isBroken ? 'Retry' : 'Process again'}
      <span className="sr-only"> {module.title}</span>
    </Button>
  )
}
