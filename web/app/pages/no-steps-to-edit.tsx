import type { UseQueryResult } from '@tanstack/react-query'
import { ListPlus } from 'lucide-react'
import type { StepsAnswer } from '#contract/step.ts'
import { NoSteps } from '#web/features/step/step-panel.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { Card } from '#web/ui/card.tsx'

/** Answers that mean an empty list, to which the owner may add. */
const EMPTY = new Set(['steps_not_found', 'steps_not_ready', 'processing_failed'])

interface NoStepsToEditProps {
  query: UseQueryResult<StepsAnswer>
  isGrowing: boolean
}

export function NoStepsToEdit({ query, isGrowing }: NoStepsToEditProps) {
  const isUnknown = query.isError && !(query.error instanceof ApiError && EMPTY.has(query.error.code))
  if (isUnknown && query.data === undefined) return <NoSteps query={query} />
  return (
    <Card className="flex flex-col items-center gap-3 px-6 py-10 text-center text-ink-soft">
      <ListPlus aria-hidden="true" className="size-6" />
      <p>{isGrowing ? 'No steps yet. They appear here as they are found.' : 'There are no steps yet.'}</p>
      <p className="text-sm">Press Add Step to write one yourself.</p>
    </Card>
  )
}
