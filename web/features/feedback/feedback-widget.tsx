import { useMutation, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import {
  type FeedbackAction,
  FeedbackAction as FeedbackActions,
  FeedbackAnswer,
  type SubmitFeedback,
} from '#contract/feedback/feedback.ts'
import { FEEDBACK_AUTO_HIDE_MS } from '#contract/limits.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { FEEDBACK_STATS_KEY } from '#web/lib/module-cache.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { ACTION_LOOKS } from './feedback-labels.ts'

type Look = 'words' | 'row' | 'icons'

interface FeedbackWidgetProps {
  question: string
  about: Omit<Rating, 'action'>
  /** Whether the thanks go after three seconds. Its place stays, so that nothing below moves. */
  isAutoHidden?: boolean
  /** `row` where several stand below each other, `icons` where there is room for no words. */
  look?: Look
  className?: string
}

export function FeedbackWidget({ question, about, look = 'words', className, ...props }: FeedbackWidgetProps) {
  const { isAutoHidden = false } = props
  const rate = useSendFeedback('submit', stampRating)
  const [isHidden, setIsHidden] = useState(false)
  // The button that was pressed goes; the keyboard stays where it was.
  const place = useFocusWhenFewer<HTMLDivElement>(rate.isSuccess ? 0 : 1, { preventScroll: true })
  useEffect(() => {
    if (!rate.isSuccess || !isAutoHidden) return
    const timer = setTimeout(() => setIsHidden(true), FEEDBACK_AUTO_HIDE_MS)
    return () => clearTimeout(timer)
  }, [rate.isSuccess, isAutoHidden])

  return (
    <div
      ref={place}
      tabIndex={-1}
      className={clsx('flex min-h-9 items-center text-sm text-ink-soft focus:outline-none', className)}
    >
      {!rate.isSuccess && (
        <Prompt
          question={question}
          look={look}
          chosen={rate.isPending ? rate.variables.action : null}
          onChoose={(action) => rate.mutate({ ...about, action })}
        />
      )}
      {/* Rendered from the start: some screen readers skip a live region that is added together with its text. */}
      <p role="status" className="empty:hidden">
        {rate.isSuccess && !isHidden && (
          <span className="inline-flex animate-fade-in items-center gap-2 font-medium text-brand-ink">
            <Check aria-hidden="true" className="size-4" />
            {m.thank_you_for_your_feedback()}
          </span>
        )}
      </p>
    </div>
  )
}

interface PromptProps {
  question: string
  look: Look
  /** What was pressed and is on its way. */
  chosen: FeedbackAction | null
  onChoose: (action: FeedbackAction) => void
}

function Prompt({ question, look, chosen, onChoose }: PromptProps) {
  const hasWords = look !== 'icons'
  return (
    <div role="group" aria-label={question} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {hasWords && (
        <span aria-hidden="true" className={look === 'row' ? 'sm:w-40' : undefined}>
          {question}
        </span>
      )}
      <div className={clsx('flex flex-wrap gap-x-1', hasWords && '-ms-3 sm:ms-0')}>
        {FeedbackActions.options.map((action) => {
          const { label, icon: Icon } = ACTION_LOOKS[action]
          return (
            <Button
              key={action}
              variant="ghost"
              size="small"
              title={hasWords ? undefined : label}
              isBusy={chosen === action}
              className={hasWords ? undefined : 'px-2!'}
              onClick={() => chosen === null && onChoose(action)}
            >
              {chosen !== action && <Icon aria-hidden="true" className="size-4" />}
              <span className={hasWords ? undefined : 'sr-only'}>{label}</span>
            </Button>
          )
        })}
      </div>
    </div>
  )
}

/** A rating without the moment, which is that of the press. */
type Rating = Omit<SubmitFeedback, 'timestamp'>

function stampRating(rating: Rating): SubmitFeedback {
  return { ...rating, timestamp: new Date().toISOString() }
}

/** Sends feedback, and says when that failed; with `thanks`, also that it has arrived. */
export function useSendFeedback<Input>(
  kind: 'submit' | 'improvement',
  makeBody: (input: Input) => object,
  thanks?: string,
) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) =>
      callApi({ path: `/api/feedback/${kind}`, method: 'POST', body: makeBody(input), schema: FeedbackAnswer }),
    onSuccess: () => {
      if (thanks !== undefined) toast.success(thanks)
      return queryClient.invalidateQueries({ queryKey: FEEDBACK_STATS_KEY })
    },
    onError: () => toast.error(m.failed_to_submit_feedback_please()),
  })
}
