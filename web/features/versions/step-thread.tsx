import { Check, MessageSquarePlus, RotateCcw } from 'lucide-react'
import { type FormEvent, useCallback, useId, useRef, useState } from 'react'
import { VERSION_NOTE_MAX_CHARS } from '#contract/limits.ts'
import type { ReviewComment, ReviewThread } from '#contract/review.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { FormField, Textarea } from '#web/ui/form-controls.tsx'
import { NameField } from '#web/ui/text-fields.tsx'
import { useAddComment, useSettleThread } from './threads-query.ts'

interface ThreadListProps {
  title: string
  thread: ReviewThread
}

/** What owners have said of a step. */
export function ThreadComments({ title, thread }: ThreadListProps) {
  return (
    <section aria-label={m.comments_on_step({ title })} className="grid grid-cols-1 gap-2">
      {thread.isResolved && (
        <div>
          <Badge>{m.settled()}</Badge>
        </div>
      )}
      <ul className="grid grid-cols-1 gap-2">
        {thread.comments.map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ul>
    </section>
  )
}

function Comment({ comment: { name, text, saidAt } }: { comment: ReviewComment }) {
  return (
    <li className="min-w-0 rounded-control bg-sunken px-3 py-2 text-sm wrap-anywhere">
      <p className="text-xs text-ink-soft">
        <bdi className="font-medium">{name === '' ? m.record_erased_person() : name}</bdi> · {formatDate(saidAt)}
      </p>
      <p dir="auto" className="mt-0.5 whitespace-pre-line">
        {text}
      </p>
    </li>
  )
}

/** Who writes comments in a review: their name is typed once. */
export interface Commenter {
  moduleId: string
  name: string
  onName: (name: string) => void
}

interface StepThreadProps extends Commenter {
  step: Pick<Step, 'id' | 'title'>
  thread: ReviewThread | undefined
}

/** What owners say of a step of the draft, and a way to say more, or that it is settled. */
export function StepThread({ step, thread, ...commenter }: StepThreadProps) {
  const [isWriting, setIsWriting] = useState(false)
  const hasWritten = useRef(false)
  // The form takes the focus, and gives it back.
  const takeBack = useCallback((opener: HTMLButtonElement | null) => {
    if (hasWritten.current) opener?.focus()
  }, [])
  const settle = useSettleThread(commenter.moduleId)
  const { id: stepId, title } = step
  return (
    <div className="grid grid-cols-1 gap-2 border-t border-line pt-2.5">
      {thread && <ThreadComments {...{ title, thread }} />}
      {isWriting ? (
        <CommentForm {...commenter} stepId={stepId} onDone={() => setIsWriting(false)} />
      ) : (
        <div className="-ms-2 flex flex-wrap gap-1">
          <Button
            variant="ghost"
            size="small"
            className="px-2!"
            aria-label={m.comment_on_step({ title })}
            ref={takeBack}
            onClick={() => {
              hasWritten.current = true
              setIsWriting(true)
            }}
          >
            <MessageSquarePlus aria-hidden="true" className="size-4" />
            {m.comment_action()}
          </Button>
          {thread && (
            <Button
              variant="ghost"
              size="small"
              className="px-2!"
              isBusy={settle.isPending}
              onClick={() =>
                settle.mutate({ stepId, isResolved: !thread.isResolved, seenComments: thread.comments.length })
              }
            >
              {!settle.isPending && <SettleIcon isResolved={thread.isResolved} />}
              {thread.isResolved ? m.reopen_comments() : m.settle_comments()}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function SettleIcon({ isResolved }: Pick<ReviewThread, 'isResolved'>) {
  const Icon = isResolved ? RotateCcw : Check
  return <Icon aria-hidden="true" className="size-4" />
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus()
}

interface CommentFormProps extends Commenter {
  stepId: string
  onDone: () => void
}

function CommentForm({ moduleId, stepId, name, onName, onDone }: CommentFormProps) {
  const id = useId()
  const [text, setText] = useState('')
  const add = useAddComment(moduleId)
  const isComplete = text.trim() !== '' && name.trim() !== ''
  function send(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !add.isPending) add.mutate({ stepId, name, text }, { onSuccess: onDone })
  }
  return (
    <form onSubmit={send} className="grid grid-cols-1 gap-3">
      <FormField id={id} label={m.your_comment()}>
        {(links) => (
          <Textarea
            {...links}
            ref={focusOnce}
            rows={3}
            maxLength={VERSION_NOTE_MAX_CHARS}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </FormField>
      <NameField name={name} onChange={onName} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" aria-disabled={!isComplete} isBusy={add.isPending}>
          {m.send_comment()}
        </Button>
        <Button variant="secondary" size="small" onClick={onDone}>
          {m.cancel()}
        </Button>
      </div>
    </form>
  )
}
