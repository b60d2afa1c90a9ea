import { MessageCircleQuestionMark } from 'lucide-react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { AVAILABILITY_NOTES, type TutorPanelProps, type TutorPanelState } from './use-tutor-panel.ts'

interface InvitationProps extends Pick<TutorPanelProps, 'availability' | 'stepTitle'> {
  onAsk: (question: string) => void
}

/** Before the first question. */
export function Invitation({ availability, stepTitle, onAsk }: InvitationProps) {
  const suggestion = stepTitle === null ? null : m.tell_me_more_about_steptitle({ stepTitle })
  return (
    <div className="flex min-h-full flex-col justify-center gap-3 lg:items-center lg:px-2 lg:text-center">
      <span className="hidden size-11 items-center justify-center rounded-2xl bg-brand-soft text-brand-ink xl:inline-flex">
        <MessageCircleQuestionMark aria-hidden="true" className="size-6" strokeWidth={1.75} />
      </span>
      <p className="text-ink-soft lg:max-w-72">
        {AVAILABILITY_NOTES[availability] ?? m.stuck_somewhere_the_tutor_answers()}
      </p>
      {(availability === 'ready' || availability === 'so-far') && suggestion !== null && (
        <Button
          variant="secondary"
          onClick={() => onAsk(suggestion)}
          className="h-auto! min-h-10 max-w-full justify-start! py-2 text-start font-normal! whitespace-normal! wrap-anywhere"
        >
          {suggestion}
        </Button>
      )}
      {availability === 'steps-only' && <p className="text-xs text-ink-soft">{m.try_one_of_the_questions()}</p>}
    </div>
  )
}

export function ConversationSkeleton() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{m.loading_conversation()}</span>
      <Skeleton className="ms-auto h-9 w-3/5 rounded-card" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}

/** The tutor still answers; only the earlier conversation is missing. */
export function ConversationMissing({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-2">
      <p className="text-ink-soft">{m.your_earlier_conversation_could_not()}</p>
      <Button variant="secondary" size="small" onClick={onRetry}>
        {m.try_again()}
      </Button>
    </div>
  )
}

/** @see specification §9 */
export const QUICK_PROMPTS = [m.page_tutor_walk_prompt(), m.page_tutor_next_prompt()] as const

/** What people ask most, at one press. */
export function QuickPrompts({ panel: { tutor, isOff: isUnable, isOnline, ask } }: { panel: TutorPanelState }) {
  const isOff = isUnable || tutor.isBusy || !isOnline
  return (
    <div
      role="group"
      aria-label={m.quick_questions()}
      className="flex gap-1.5 overflow-x-auto px-2 pt-0.5 pb-2 lg:px-3 lg:pt-1 lg:pb-2.5 xl:flex-wrap"
    >
      {QUICK_PROMPTS.map((prompt) => (
        <Button
          key={prompt}
          variant="secondary"
          size="small"
          aria-disabled={isOff || undefined}
          onClick={() => !isOff && ask(prompt, 'keyboard')}
          className="shrink-0 rounded-full!"
        >
          {prompt}
        </Button>
      ))}
    </div>
  )
}
