import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type NewAnswer, type QuestionGroup } from '#contract/feedback/questions.ts'
import { TRAINER_ANSWER_MAX_CHARS } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Select, Textarea } from '#web/ui/form-controls.tsx'

interface AnswerFormProps {
  group: QuestionGroup
  /** The step at which it was asked; null for none. */
  stepId: string | null
  steps: readonly Step[]
  /** @returns whether it is given */
  onAnswer: (answer: NewAnswer) => Promise<boolean>
  onCancel: () => void
}

/** Answers a question once, for everybody who asks the same. A phone's keyboard takes it down by voice as well. */
export function AnswerForm({ group, stepId, steps, onAnswer, onCancel }: AnswerFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [shownAt, setShownAt] = useState(stepId ?? '')
  const [inPrint, setInPrint] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => field.current?.focus(), [])
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setIsChecked(true)
    if (text.trim() === '') {
      field.current?.focus()
      return
    }
    setIsBusy(true)
    const { ids, text: question } = group
    await onAnswer({ ids, question, text: text.trim(), stepId: shownAt === '' ? null : shownAt, inPrint })
    setIsBusy(false)
  }
  const problem = isChecked && text.trim() === '' ? m.write_an_answer() : undefined
  const hint = m.answer_is_for_everybody({ left: TRAINER_ANSWER_MAX_CHARS - text.length })
  return (
    <form
      noValidate
      aria-label={m.answer_it()}
      onSubmit={submit}
      className="mt-3 grid animate-rise grid-cols-1 gap-4 rounded-control bg-sunken p-3.5"
    >
      <FormField id={`${id}-text`} label={m.your_answer()} hint={hint} problem={problem}>
        {(links) => (
          <Textarea
            {...links}
            ref={field}
            rows={3}
            maxLength={TRAINER_ANSWER_MAX_CHARS}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="field-sizing-content min-h-20"
          />
        )}
      </FormField>
      {steps.length > 0 && <StepField {...{ steps, shownAt }} onChoose={setShownAt} />}
      <label className="flex min-h-6 items-center gap-2 text-sm">
        <input type="checkbox" checked={inPrint} onChange={({ target }) => setInPrint(target.checked)} />
        {m.in_print_and_exports()}
      </label>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" size="small" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <Button type="submit" size="small" isBusy={isBusy}>
          {m.give_the_answer()}
        </Button>
      </div>
    </form>
  )
}

interface StepFieldProps extends Pick<AnswerFormProps, 'steps'> {
  /** Id of a step; empty for none. */
  shownAt: string
  onChoose: (stepId: string) => void
}

function StepField({ steps, shownAt, onChoose }: StepFieldProps) {
  const id = useId()
  return (
    <FormField id={id} label={m.shown_at_step()}>
      {(links) => (
        <Select {...links} value={shownAt} onChange={({ target }) => onChoose(target.value)}>
          <option value="">{m.no_step()}</option>
          {steps.map((each, index) => (
            <option key={each.id} value={each.id}>
              {`${index + 1}. ${each.title} (${formatTime(each.start)})`}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}
