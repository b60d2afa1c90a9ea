import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { NewAnswer } from '#contract/feedback/questions.ts'
import { TRAINER_ANSWER_MAX_CHARS } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { FormField, Select, Textarea } from '#web/ui/form-controls.tsx'
import { StepOptions } from './step-options.tsx'

type GivenAnswer = Pick<NewAnswer, 'text' | 'stepId' | 'inPrint'>

interface AnswerFormProps {
  /** What it begins with. */
  first: GivenAnswer
  /** Where it can be shown; none where that is not asked. */
  steps: readonly Step[]
  onAnswer: (answer: GivenAnswer) => Promise<unknown>
  onCancel: () => void
}

/** Answers a question once, for everybody who asks the same. A phone's keyboard takes it down by voice as well. */
export function AnswerForm({ first, steps, onAnswer, onCancel }: AnswerFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(first.text)
  const [shownAt, setShownAt] = useState(first.stepId ?? '')
  const [inPrint, setInPrint] = useState(first.inPrint)
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
    await onAnswer({ text: text.trim(), stepId: shownAt === '' ? null : shownAt, inPrint })
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
          <StepOptions steps={steps} />
        </Select>
      )}
    </FormField>
  )
}
