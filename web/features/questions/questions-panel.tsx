import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronDown, MessageCircleQuestion } from 'lucide-react'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { type QuestionGroup, type QuestionPlace, QuestionsAnswer } from '#contract/feedback/questions.ts'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { formatCount } from '#web/lib/format/format-number.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { makeEdit, useOptimisticMutation } from '#web/lib/use-optimistic-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Loaded } from '#web/ui/notice.tsx'
import { showUndo } from '#web/ui/toast.tsx'
import { OwnAnswers } from './own-answers.tsx'
import { QuestionCard, type QuestionCardProps, type Way } from './question-card.tsx'
import type { QuestionActions } from './question-forms.tsx'
import { useTrainerAnswers } from './use-trainer-answers.ts'

function questionsPath(moduleId: string): string {
  return `/api/questions/${encodeURIComponent(moduleId)}`
}

/** An owner who has the page open sees what learners ask meanwhile. */
const REFRESH_MS = 30_000

/** Open questions of learners about a module. Owners only. */
function questionsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['questions', moduleId],
    queryFn: ({ signal }) => callApi({ path: questionsPath(moduleId), schema: QuestionsAnswer, signal }),
    refetchInterval: REFRESH_MS,
  })
}

function withoutGroup(answer: QuestionsAnswer, groupId: string): QuestionsAnswer {
  const removedGroup = answer.places.flatMap(({ groups }) => groups).find(({ id }) => id === groupId)
  if (removedGroup === undefined) return answer
  const places = answer.places.map((place) => ({ ...place, groups: place.groups.filter(({ id }) => id !== groupId) }))
  return {
    ...answer,
    places: places.filter(({ groups }) => groups.length > 0),
    open: answer.open - removedGroup.count,
    grouped: answer.grouped - removedGroup.count,
  }
}

export function QuestionsPanel({ moduleId, ...actions }: QuestionActions & { moduleId: string }) {
  const query = useQuery(questionsQuery(useApi(), moduleId))
  const { data, fetchStatus } = query
  const settle = useSettle(moduleId)
  const heading = useFocusWhenFewer(data?.open ?? 0)
  const section = useFocusWhenFewer<HTMLElement>(data?.answers.length ?? 0)
  const { onAnswer, onIgnore, ...ofAnswers } = useTrainerAnswers(questionsPath(moduleId), ['questions', moduleId])
  const onSettle = (group: QuestionGroup, done: string) => settle({ group, done })
  const onGroup = { onSettle, onAnswer, onIgnore }
  return (
    <Card className="@container p-4 sm:p-5">
      <section ref={section} tabIndex={-1} aria-labelledby="questions-heading">
        <h2 ref={heading} id="questions-heading" tabIndex={-1} className="flex items-center gap-2 font-semibold">
          <MessageCircleQuestion aria-hidden="true" className="size-4.5 text-brand" />
          {m.questions_from_learners()}
          {data !== undefined && data.open > 0 && (
            <span className="text-sm font-normal text-ink-faint tabular-nums">{formatCount(data.open)}</span>
          )}
        </h2>
        <Loaded
          query={query}
          what={m.the_questions()}
          retryLabel={m.load_questions_again()}
          skeleton={<QuestionsSkeleton isOffline={fetchStatus === 'paused'} />}
          className="mt-3 min-h-18"
        >
          {(answer) => (
            <>
              <Introduction answer={answer} />
              {answer.places.map((place) => (
                <QuestionPlaceSection key={place.step?.id ?? place.kind} {...{ place, actions, onGroup }} />
              ))}
              <OwnAnswers answers={answer.answers} {...ofAnswers} {...actions} />
            </>
          )}
        </Loaded>
      </section>
    </Card>
  )
}

/** How many questions wait, beside the link to them; nothing where there are none, or their number is not known. */
export function OpenCount({ moduleId }: { moduleId: string }) {
  const { data } = useQuery(questionsQuery(useApi(), moduleId))
  if (data === undefined || data.open === 0) return null
  return (
    <span className="inline-flex h-5 min-w-5 animate-fade-in items-center justify-center rounded-full bg-brand-soft px-1.5 text-xs font-semibold text-brand-ink tabular-nums">
      <span className="sr-only">, </span>
      {formatCount(data.open)}
      <span className="sr-only"> {m.open()}</span>
    </span>
  )
}

function Introduction({ answer: { places, open, grouped, hiddenGroups } }: { answer: QuestionsAnswer }) {
  return (
    <p className="mt-1 text-sm text-ink-soft">
      {places.length === 0 ? m.no_open_questions_what_people() : m.what_people_asked_the_tutor()}
      {grouped < open && ` ${m.newest_of_open({ shown: formatCount(grouped), open: formatCount(open) })}`}
      {hiddenGroups > 0 && ` ${m.more_as_you_settle({ shown: formatCount(hiddenGroups) })}`}
    </p>
  )
}

/** As high as the empty state, so that nothing moves when it appears. */
function QuestionsSkeleton({ isOffline }: { isOffline: boolean }) {
  return (
    <div className="mt-1">
      <p role="status" className={isOffline ? 'text-sm text-ink-soft' : 'sr-only'}>
        {isOffline ? m.you_are_offline_the_questions() : m.loading_questions()}
      </p>
      {!isOffline && <Skeleton className="h-10 max-w-2xl" />}
    </div>
  )
}

/** Questions shown per place at first: the most pressing ones, so that a step with many does not hide the next. */
const FIRST_SHOWN = 3

interface QuestionPlaceSectionProps {
  place: QuestionPlace
  actions: QuestionActions
  onGroup: Pick<QuestionCardProps, 'onSettle' | 'onAnswer' | 'onIgnore'>
}

function QuestionPlaceSection({ place, actions, onGroup }: QuestionPlaceSectionProps) {
  const id = useId()
  const [isAllShown, setIsAllShown] = useState(false)
  const [ways, setWays] = useState<Readonly<Record<string, Way | null>>>({})
  const { step, groups } = place
  // What is half typed stays where another question passes it.
  const firstGroups = groups.filter(({ id: each }, index) => index < FIRST_SHOWN || ways[each])
  const visibleGroups = isAllShown ? groups : firstGroups
  const hiddenCount = groups.length - firstGroups.length
  return (
    <section aria-labelledby={id} className="mt-5">
      <h3 id={id} className="text-sm font-semibold wrap-anywhere">
        <PlaceName place={place} />
      </h3>
      <ul className="mt-2 grid grid-cols-1 gap-3">
        {visibleGroups.map((group) => (
          <QuestionCard
            key={group.id}
            group={group}
            stepId={step?.id ?? null}
            way={ways[group.id] ?? null}
            onWay={(way) => setWays((all) => ({ ...all, [group.id]: way }))}
            {...onGroup}
            {...actions}
          />
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button
          variant="ghost"
          size="small"
          aria-expanded={isAllShown}
          onClick={() => setIsAllShown(!isAllShown)}
          className="mt-2 -ms-2 px-2!"
        >
          <ChevronDown aria-hidden="true" className={clsx('size-4', isAllShown && 'rotate-180')} />
          {describeMore(hiddenCount, isAllShown ? 'all' : 'first')}
        </Button>
      )}
    </section>
  )
}

function describeMore(hiddenCount: number, shownRange: 'all' | 'first'): string {
  if (shownRange === 'all') return m.show_fewer_questions()
  return m.show_more_questions({ count: hiddenCount })
}

function PlaceName({ place: { kind, step } }: { place: QuestionPlace }) {
  if (step === null) return kind === 'video' ? m.about_the_whole_video() : m.at_steps_that_are_gone()
  return (
    <>
      <span className="me-1 font-normal text-ink-faint tabular-nums">
        <span className="sr-only">{m.step_noun()} </span>
        {step.number}
      </span>{' '}
      {step.title}
    </>
  )
}

/** Removes a group of questions from the list at once, and restores it if the server refuses. */
function useSettle(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = questionsQuery(callApi, moduleId)
  const send = (act: 'settle' | 'reopen', { ids }: QuestionGroup) =>
    callApi({ path: `${questionsPath(moduleId)}/${act}`, method: 'POST', body: { ids }, schema: Done })
  const { mutate: reopen } = useMutation({
    mutationFn: (group: QuestionGroup) => send('reopen', group),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
    onError: (error) => toast.error(m.the_question_could_not_be(), { description: error.message }),
  })
  const { mutate: settle } = useOptimisticMutation({
    mutationFn: ({ group }: { group: QuestionGroup; done: string }) => send('settle', group),
    edits: ({ group }) => [makeEdit<QuestionsAnswer>(queryKey, (answer) => withoutGroup(answer, group.id))],
    onSuccess: (_, { group, done }) => {
      showUndo(done, () => reopen(group))
    },
    stale: () => [queryKey],
    failure: m.the_question_could_not_be_settled(),
  })
  return settle
}
