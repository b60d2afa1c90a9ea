import { useQuery } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import type { QuestionGroup, QuestionsAnswer } from '#contract/questions.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { formatCount } from '#web/lib/format-count.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { QuestionActions } from './question-actions.ts'
import { QuestionPlaceSection } from './question-place-section.tsx'
import { questionsQuery } from './questions-query.ts'
import { useSettle } from './use-settle.ts'

interface QuestionsPanelProps extends QuestionActions {
  moduleId: string
}

/** Shows an owner the open questions of learners, with the actions that answer or settle them. */
export function QuestionsPanel({ moduleId, ...actions }: QuestionsPanelProps) {
  const { data, isPending, fetchStatus, refetch } = useQuery(questionsQuery(useApi(), moduleId))
  const settle = useSettle(moduleId)
  const heading = useFocusWhenFewer(data?.open ?? 0)
  const onSettle = (group: QuestionGroup, done: string) => settle({ group, done })
  return (
    <Card className="@container p-4 sm:p-5">
      <section aria-labelledby="questions-heading">
        <h2 ref={heading} id="questions-heading" tabIndex={-1} className="flex items-center gap-2 font-semibold">
          <MessageCircleQuestion aria-hidden="true" className="size-4.5 text-brand" />
          Questions from learners
          {data !== undefined && data.open > 0 && (
            <span className="text-sm font-normal text-ink-faint tabular-nums">{formatCount(data.open)}</span>
          )}
        </h2>
        {data !== undefined && <Introduction answer={data} />}
        {data?.places.map((place) => (
          <QuestionPlaceSection
            key={place.step?.id ?? place.kind}
            place={place}
            actions={actions}
            onSettle={onSettle}
          />
        ))}
        {data === undefined && isPending && <QuestionsSkeleton isOffline={fetchStatus === 'paused'} />}
        {data === undefined && !isPending && (
          <LoadFailure
            message="Failed to load the questions"
            retryLabel="Load questions again"
            isBusy={fetchStatus === 'fetching'}
            onRetry={() => refetch()}
            className="mt-3 min-h-18"
          />
        )}
      </section>
    </Card>
  )
}

function Introduction({ answer: { places, open, grouped, hiddenGroups } }: { answer: QuestionsAnswer }) {
  return (
    <p className="mt-1 text-sm text-ink-soft">
      {places.length === 0
        ? 'No open questions. What people ask the tutor beside the video appears here, so that you see what it leaves open.'
        : 'What people asked the tutor, alike questions together. Make a step, an alias or a teaching note of one, or mark it as settled.'}
      {grouped < open && ` These are the newest ${formatCount(grouped)} of ${formatCount(open)}.`}
      {hiddenGroups > 0 && ` ${formatCount(hiddenGroups)} more appear as you settle these.`}
    </p>
  )
}

/** As high as the empty state, so that nothing moves when it appears. */
function QuestionsSkeleton({ isOffline }: { isOffline: boolean }) {
  return (
    <div className="mt-1">
      <p role="status" className={isOffline ? 'text-sm text-ink-soft' : 'sr-only'}>
        {isOffline ? 'You are offline. The questions appear as soon as the connection is back.' : 'Loading questions'}
      </p>
      {!isOffline && <Skeleton className="h-10 max-w-2xl" />}
    </div>
  )
}
