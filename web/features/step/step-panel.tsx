import type { UseQueryResult } from '@tanstack/react-query'
import { Hourglass, ListX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { STEPS_RETRIES } from '#contract/limits.ts'
import type { StepsAnswer } from '#contract/step.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { MoreToCome } from './growing-steps.tsx'
import { describeStepsError } from './steps-query.ts'

interface StepPanelProps {
  query: UseQueryResult<StepsAnswer>
  count: number
  isGrowing: boolean
  /** Beside the heading. */
  action?: ReactNode
  /** The list, for when there are some. */
  children: ReactNode
}

/** The steps of a module with every state that loading them can have. */
export function StepPanel({ query, count, isGrowing, action, children }: StepPanelProps) {
  return (
    <section aria-labelledby="steps-heading">
      <div className="mb-3 flex min-h-8 items-center gap-2">
        <h2 id="steps-heading" className="text-lg font-semibold">
          Steps
        </h2>
        {count > 0 && (
          <span className="pt-0.5 text-sm text-ink-faint tabular-nums">
            {count}
            {isGrowing && ' so far'}
          </span>
        )}
        {action && <div className="ml-auto">{action}</div>}
      </div>
      {count > 0 ? children : <NoSteps query={query} isGrowing={isGrowing} />}
      {isGrowing && count > 0 && <MoreToCome />}
    </section>
  )
}

interface NoStepsProps {
  query: UseQueryResult<StepsAnswer>
  /** The first ones are still to come, which is no failure. */
  isGrowing?: boolean
}

/** Why there is no list, and what to do. */
export function NoSteps({ query, isGrowing = false }: NoStepsProps) {
  const { error, failureReason } = query
  // The first step is still to come: the server says so, or has said nothing else yet.
  const isNotReady =
    error === null ? failureReason === null : error instanceof ApiError && error.code === 'steps_not_ready'
  if (isGrowing && isNotReady) {
    return (
      <Card className="flex items-center gap-3 px-4 py-5 text-sm text-ink-soft">
        <Hourglass aria-hidden="true" className="size-4 shrink-0" />
        {error === null ? NOT_READY : describeStepsError(error)}
      </Card>
    )
  }
  if (query.isPending) return <StepsLoading failures={query.failureCount} reason={query.failureReason} />
  const Icon = query.isError ? TriangleAlert : ListX
  return (
    <Card className="flex flex-col items-center gap-3 px-6 py-10 text-center text-ink-soft">
      <Icon aria-hidden="true" className="size-6" />
      <p role="alert">{query.isError ? describeStepsError(query.error) : 'No steps found in this training yet.'}</p>
      <Button variant="secondary" isBusy={query.isFetching} onClick={() => query.refetch()}>
        Retry Loading Steps
      </Button>
    </Card>
  )
}

/** @see specification §8 */
const NOT_READY = 'Steps not ready yet - module still processing'

function StepsLoading({ failures, reason }: { failures: number; reason: Error | null }) {
  return (
    <div role="status" className="grid gap-2.5">
      <span className="sr-only">Loading steps</span>
      {reason !== null && (
        <p className="text-sm text-ink-soft">
          {/* Messages for people are sentences; what a server says of itself may be none. */}
          {reason.message.replace(/[^.!?…)]$/, '$&.')} Trying again ({failures} of {STEPS_RETRIES})…
        </p>
      )}
      <StepSkeletons />
    </div>
  )
}

/** The shape of a list of steps while it loads. */
export function StepSkeletons() {
  return ['first', 'second', 'third'].map((place) => (
    <Card key={place} className="flex gap-4 p-4">
      <Skeleton className="size-8 rounded-full" />
      <div className="flex-1 space-y-2.5 pt-1.5">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-3 w-4/5" />
      </div>
    </Card>
  ))
}
