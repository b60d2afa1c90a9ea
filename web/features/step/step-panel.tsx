import type { UseQueryResult } from '@tanstack/react-query'
import { Hourglass, ListX, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { STEPS_RETRIES } from '#contract/limits.ts'
import type { StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { ApiError } from '#web/lib/api-error.ts'
import { findScrollBox } from '#web/lib/scroll-box.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { BackToCurrent, useFollow } from '#web/ui/follow.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { MoreToCome } from './growing-steps.tsx'
import { describeStepsError } from './steps-query.ts'

interface StepPanelProps {
  query: UseQueryResult<StepsAnswer>
  count: number
  isGrowing: boolean
  /** Place of the step that plays in the list, from 1; null for none, and while a step is edited. */
  current: number | null
  /** Beside the heading. */
  action?: ReactNode
  /** Draws the list, for when there are some. `follow` is called when a step of it is pressed. */
  children: (follow: () => void) => ReactNode
  /** Under the list. */
  after?: ReactNode
}

/** The steps of a module with every state that loading them can have. Beside the video, the list follows it. */
export function StepPanel({ query, count, isGrowing, current, action, children, after }: StepPanelProps) {
  const box = useRef<HTMLDivElement>(null)
  const selector = current === null ? null : `#step-${current}`
  const { isFollowing, setIsFollowing } = useFollow(box, { selector, canMove: isFreeToMove })
  return (
    <section aria-labelledby="steps-heading" className="relative flex min-h-0 flex-col lg:h-full">
      <div className="mb-3 flex min-h-8 items-center gap-2 lg:mb-1">
        <h2 id="steps-heading" className="text-lg font-semibold">
          {m.steps()}
        </h2>
        {count > 0 && (
          <span className="pt-0.5 text-sm text-ink-faint tabular-nums">
            {isGrowing ? m.count_so_far({ count }) : count}
          </span>
        )}
        {action && <div className="ms-auto">{action}</div>}
      </div>
      <div
        ref={box}
        data-scroll-box=""
        className="relative grid min-h-0 grid-cols-1 content-start gap-6 lg:-mx-1 lg:flex-1 lg:overflow-y-auto lg:overscroll-contain lg:px-1 lg:py-1"
      >
        <div className="min-w-0">
          {count > 0 ? children(() => setIsFollowing(true)) : <NoSteps query={query} isGrowing={isGrowing} />}
          {isGrowing && count > 0 && <MoreToCome />}
        </div>
        {/* The list is higher than what holds its place, and would move it. */}
        {(count > 0 || !query.isLoading) && after}
      </div>
      {!isFollowing && current !== null && (
        <BackToCurrent className="left-1/2 -translate-x-1/2 max-lg:hidden" onPress={() => setIsFollowing(true)} />
      )}
    </section>
  )
}

/** Where the page scrolls the list, it stays where it is; and what the keyboard is at stays in sight. */
function isFreeToMove(box: HTMLElement): boolean {
  return findScrollBox(box) === box && box.querySelector(':focus-visible') === null
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
      <p role="alert">{query.isError ? describeStepsError(query.error) : m.no_steps_found_in_this()}</p>
      <Button variant="secondary" isBusy={query.isFetching} onClick={() => query.refetch()}>
        {m.retry_loading_steps()}
      </Button>
    </Card>
  )
}

/** @see specification §8 */
const NOT_READY = m.steps_not_ready_yet_module()

function StepsLoading({ failures, reason }: { failures: number; reason: Error | null }) {
  return (
    <div role="status" className="grid gap-2.5">
      <span className="sr-only">{m.loading_steps()}</span>
      {reason !== null && (
        <p className="text-sm text-ink-soft">
          {/* Messages for people are sentences; what a server says of itself may be none. */}
          {reason.message.replace(/[^.!?…)]$/, '$&.')} {m.trying_again_failures_of_steps({ failures, STEPS_RETRIES })}
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
