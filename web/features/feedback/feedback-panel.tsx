import { type FormEvent, useId, useRef, useState } from 'react'
import { FEEDBACK_MAX_CHARS } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { useSuggest } from './use-give-feedback.ts'

/** Where people say what could be better. What they wrote stays until it has arrived. */
export function FeedbackPanel({ moduleId }: { moduleId: string }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const suggest = useSuggest(moduleId)
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
    <Card className="p-4">
      <section aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`} className="font-semibold">
          Feedback
        </h2>
        <form noValidate onSubmit={send} className="mt-1">
          <label htmlFor={id} className="block text-sm text-ink-soft">
            What could be better in this training?
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
            <p id={`${id}-error`} role="alert" className="mr-auto text-sm font-medium text-danger-ink empty:hidden">
              {isMissed && 'Write a few words first.'}
            </p>
            <Button type="submit" variant="secondary" isBusy={suggest.isPending}>
              Send feedback
            </Button>
          </div>
        </form>
      </section>
    </Card>
  )
}
