import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { FEEDBACK_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { SectionCard } from '#web/ui/card.tsx'
import { Textarea } from '#web/ui/form-controls.tsx'
import { useSendFeedback } from './feedback-widget.tsx'

interface FeedbackPanelProps {
  moduleId: string
  /** Above the field. */
  question: string
  /** Ratings, above the question. */
  children?: ReactNode
}

/** Where people say what could be better. What they wrote stays until it has arrived. */
export function FeedbackPanel({ moduleId, question, children }: FeedbackPanelProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const suggest = useSendFeedback(
    'improvement',
    (feedback: string) => ({ moduleId, feedback, type: 'ai_improvement' }),
    m.thank_you_for_your_feedback_well(),
  )
  const [words, setWords] = useState('')
  const [isMissed, setIsMissed] = useState(false)

  function send(event: FormEvent) {
    event.preventDefault()
    const feedback = words.trim()
    setIsMissed(feedback === '')
    if (feedback === '') return field.current?.focus()
    if (!suggest.isPending) suggest.mutate(feedback, { onSuccess: () => setWords('') })
  }
  return (
    <SectionCard title={m.feedback()} className="p-4">
      {children}
      <form noValidate onSubmit={send} className="mt-1">
        <label htmlFor={id} className="block text-sm text-ink-soft">
          {question}
        </label>
        <Textarea
          ref={field}
          id={id}
          rows={3}
          value={words}
          maxLength={FEEDBACK_MAX_CHARS}
          aria-invalid={isMissed || undefined}
          aria-describedby={isMissed ? `${id}-error` : undefined}
          onChange={(event) => {
            setWords(event.target.value)
            setIsMissed(false)
          }}
          className="mt-3 block max-h-64 min-h-20 resize-y field-sizing-content"
        />
        <div className="mt-3 flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <p id={`${id}-error`} role="alert" className="me-auto text-sm font-medium text-danger-ink empty:hidden">
            {isMissed && m.write_a_few_words_first()}
          </p>
          <Button type="submit" variant="secondary" isBusy={suggest.isPending}>
            {m.send_feedback()}
          </Button>
        </div>
      </form>
    </SectionCard>
  )
}
