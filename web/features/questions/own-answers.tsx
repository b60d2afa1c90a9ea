import { Check, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { AnswerPatch, OwnAnswer } from '#contract/feedback/questions.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { type AnswerActions, AnswerForm } from './answer-form.tsx'
import { Moment } from './question-card.tsx'
import type { QuestionActions } from './question-forms.tsx'

interface OwnAnswersProps extends AnswerActions, Pick<QuestionActions, 'onPlay'> {
  answers: readonly OwnAnswer[]
  /** @returns whether it is changed; an empty patch confirms it as it is */
  onChange: (answer: OwnAnswer, patch: AnswerPatch) => Promise<boolean>
  onDelete: (answer: OwnAnswer) => void
}

/** What the trainer has answered. What was given for an earlier version comes first, with one click to confirm it. */
export function OwnAnswers({ answers, onDelete, ...actions }: OwnAnswersProps) {
  const [toDelete, setToDelete] = useState<OwnAnswer | null>(null)
  if (answers.length === 0) return null
  return (
    <section aria-labelledby="answers-heading" className="mt-5">
      <h3 id="answers-heading" className="text-sm font-semibold">
        {m.your_answers()}
      </h3>
      <ul className="mt-2 grid grid-cols-1 gap-2.5">
        {answers.map((answer) => (
          <Answer key={answer.id} answer={answer} {...actions} onDelete={() => setToDelete(answer)} />
        ))}
      </ul>
      <AlertDialog
        isOpen={toDelete !== null}
        onOpenChange={() => setToDelete(null)}
        title={m.delete_this_answer()}
        description={m.deleted_answer_is_gone()}
        confirmLabel={m.delete_action()}
        onConfirm={() => toDelete && onDelete(toDelete)}
      />
    </section>
  )
}

interface AnswerProps extends Omit<OwnAnswersProps, 'answers' | 'onDelete'> {
  answer: OwnAnswer
  onDelete: () => void
}

function Answer({ answer, onChange, onDelete, onPlay, ...actions }: AnswerProps) {
  const { question, text, inPrint, isEarlier, answeredAt, step, start, moment } = answer
  const [isChanging, setIsChanging] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  function close() {
    setIsChanging(false)
    opener.current?.focus()
  }
  const small = { variant: 'ghost', size: 'small', className: 'px-2!' } as const
  return (
    <li className="rounded-control border border-line p-3.5">
      <p dir="auto" className="font-medium wrap-anywhere">
        {question}
      </p>
      <p dir="auto" className="mt-1 text-sm whitespace-pre-line wrap-anywhere">
        {text}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-soft">
        {isEarlier && <Badge tone="warn">{m.given_for_an_earlier_version()}</Badge>}
        <span className="text-ink-faint">{formatDate(answeredAt)}</span>
        {onPlay !== undefined && start !== null && <Moment atS={start} onPlay={onPlay} />}
        {isEarlier && (
          <Button {...small} onClick={() => void onChange(answer, {})}>
            <Check aria-hidden="true" className="size-4" />
            {m.still_right()}
          </Button>
        )}
        <Button
          {...small}
          ref={opener}
          aria-label={`${m.change_what_is_left_out()}: ${question}`}
          aria-expanded={isChanging}
          onClick={() => setIsChanging(!isChanging)}
        >
          <Pencil aria-hidden="true" className="size-4" />
          {m.change_what_is_left_out()}
        </Button>
        <Button {...small} aria-label={m.delete_titled({ title: question })} onClick={onDelete}>
          <Trash2 aria-hidden="true" className="size-4" />
          {m.delete_action()}
        </Button>
      </div>
      {isChanging && (
        <AnswerForm
          first={{ text, inPrint, moment, stepId: moment === null ? (step?.id ?? null) : null }}
          {...actions}
          onAnswer={async (given) => {
            if (await onChange(answer, given)) close()
          }}
          onCancel={close}
        />
      )}
    </li>
  )
}
