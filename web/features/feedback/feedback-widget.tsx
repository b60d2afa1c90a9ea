import clsx from 'clsx'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type FeedbackAction, FeedbackAction as FeedbackActions } from '#contract/feedback.ts'
import { FEEDBACK_AUTO_HIDE_MS } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { ACTION_LOOKS } from './feedback-labels.ts'
import { type Rating, useRate } from './use-give-feedback.ts'

interface FeedbackWidgetProps {
  /** What is asked. */
  question: string
  /** What the rating is about. */
  about: Omit<Rating, 'action'>
  /** Whether the thanks go after three seconds. Its place stays, so that nothing below moves. */
  isAutoHidden?: boolean
  /** `icons` where there is room for no words. */
  look?: 'words' | 'icons'
  className?: string
}

/** Asks how something went, and says thank you. */
export function FeedbackWidget({
  question,
  about,
  isAutoHidden = false,
  look = 'words',
  className,
}: FeedbackWidgetProps) {
  const rate = useRate()
  const [isHidden, setIsHidden] = useState(false)
  const place = useFocusAfter(rate.isSuccess)
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
            Thank you for your feedback!
          </span>
        )}
      </p>
    </div>
  )
}

interface PromptProps {
  question: string
  look: 'words' | 'icons'
  /** What was pressed and is on its way. */
  chosen: FeedbackAction | null
  onChoose: (action: FeedbackAction) => void
}

function Prompt({ question, look, chosen, onChoose }: PromptProps) {
  const hasWords = look === 'words'
  return (
    <div role="group" aria-label={question} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {hasWords && <span aria-hidden="true">{question}</span>}
      <div className={clsx('flex flex-wrap gap-x-1', hasWords && '-ml-3 sm:ml-0')}>
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

/** The button that was pressed goes; the keyboard stays where it was. */
function useFocusAfter(isDone: boolean) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isDone && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [isDone])
  return place
}
