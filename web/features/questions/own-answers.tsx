import { Check, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OwnAnswer } from '#contract/feedback/questions.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'

interface OwnAnswersProps {
  answers: readonly OwnAnswer[]
  onConfirm: (answer: OwnAnswer) => void
  onDelete: (answer: OwnAnswer) => void
}

/** What the trainer has answered. What was given for an earlier version comes first, with one click to confirm it. */
export function OwnAnswers({ answers, onConfirm, onDelete }: OwnAnswersProps) {
  const [toDelete, setToDelete] = useState<OwnAnswer | null>(null)
  if (answers.length === 0) return null
  return (
    <section aria-labelledby="answers-heading" className="mt-5">
      <h3 id="answers-heading" className="text-sm font-semibold">
        {m.your_answers()}
      </h3>
      <ul className="mt-2 grid grid-cols-1 gap-2.5">
        {answers.map((answer) => (
          <li key={answer.id} className="rounded-control border border-line p-3.5">
            <p dir="auto" className="font-medium wrap-anywhere">
              {answer.question}
            </p>
            <p dir="auto" className="mt-1 text-sm whitespace-pre-line wrap-anywhere">
              {answer.text}
            </p>
            <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-soft">
              {answer.isEarlier && <Badge tone="warn">{m.given_for_an_earlier_version()}</Badge>}
              <span className="text-ink-faint">{formatDate(answer.answeredAt)}</span>
              {answer.isEarlier && (
                <Button variant="ghost" size="small" className="px-2!" onClick={() => onConfirm(answer)}>
                  <Check aria-hidden="true" className="size-4" />
                  {m.still_right()}
                </Button>
              )}
              <Button
                variant="ghost"
                size="small"
                className="px-2!"
                aria-label={m.delete_titled({ title: answer.question })}
                onClick={() => setToDelete(answer)}
              >
                <Trash2 aria-hidden="true" className="size-4" />
                {m.delete_action()}
              </Button>
            </div>
          </li>
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
