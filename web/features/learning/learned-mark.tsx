import { CircleCheck } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import { type Learned, percentOf } from './learned.ts'

interface LearnedMarkProps {
  learned: Learned
  /** Length of the video; null while it is not known. */
  durationS: number | null
}

/** How much of the video a learner has seen. Nothing for who has seen nothing. */
export function LearnedMark({ learned, durationS }: LearnedMarkProps) {
  const percent = percentOf(learned, durationS)
  const isShown = percent !== null && learned.seen.length > 0
  return (
    <span className="inline-flex h-6 items-center gap-2 text-sm font-normal">
      {isShown && <span className="text-ink-soft tabular-nums">{percent}% watched</span>}
      <span role="status">
        {learned.isCompleted && (
          <Badge tone="brand">
            <CircleCheck aria-hidden="true" className="size-3.5" />
            Completed
          </Badge>
        )}
      </span>
    </span>
  )
}
