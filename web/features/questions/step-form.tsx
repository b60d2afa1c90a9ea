import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { QuestionGroup } from '#contract/questions.ts'
import type { Step } from '#contract/step.ts'
import { formatTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Select } from '#web/ui/form-controls.tsx'

/** A step that could answer a question. */
export interface StepProposal {
  title: string
  /** Seconds; null where the moment of the question is not known. */
  startS: number | null
  /** The video does not have it. */
  isManual: boolean
}

/** What the page around the panel does for it. */
export interface QuestionActions {
  steps: readonly Step[]
  /** Changes one step as it is by then. @returns whether it stays so */
  editStep: (id: string, edit: (step: Step) => Step) => Promise<boolean>
  /** Draws the form for a missing step, which begins with the proposal. */
  renderStepForm: (proposal: StepProposal, on: { added: () => void; cancel: () => void }) => ReactNode
  /** Plays the video from there; undefined where there is none. */
  onPlay: ((seconds: number) => void) | undefined
}

/** What a form beside a question needs. */
export interface QuestionFormProps extends Pick<QuestionActions, 'steps' | 'editStep'> {
  group: QuestionGroup
  /** The step at which it was asked, as far as it is still there. */
  stepId: string | null
  /** @param said what has been done, for a message */
  onDone: (said: string) => void
  onCancel: () => void
}

/** What is wrong with the fields, and undefined where nothing is. */
export interface FieldProblems {
  step?: string | undefined
  text?: string | undefined
}

interface StepFormOptions extends QuestionFormProps {
  initialText: string
  findProblem: (text: string, step: Step) => string | undefined
  edit: (step: Step, text: string) => Step
  /** What has been done, by the title of the step. */
  describe: (title: string) => string
}

/** A form that adds a text to a step. Problems appear beside their fields after the first attempt to save. */
export function useStepForm({ steps, editStep, onDone, ...options }: StepFormOptions) {
  const [text, setText] = useState(options.initialText)
  const [chosenId, setChosenId] = useState(options.stepId)
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)
  const field = useFocusAtEnd()
  const step = steps.find(({ id }) => id === chosenId)
  const problems: FieldProblems = {
    step: step === undefined ? 'Choose a step' : undefined,
    text: step && options.findProblem(text, step),
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setIsChecked(true)
    if (step === undefined || problems.text !== undefined) {
      setTimeout(() => ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    setIsBusy(true)
    const isSaved = await editStep(step.id, (now) => options.edit(now, text.trim()))
    setIsBusy(false)
    if (isSaved) onDone(options.describe(step.title))
  }
  return {
    ref,
    field,
    text,
    setText,
    steps,
    step,
    chosenId: step === undefined ? null : chosenId,
    setChosenId,
    problems: isChecked ? problems : {},
    isBusy,
    submit,
  }
}

/** Puts the caret behind the proposed text, so that the owner can continue it. */
function useFocusAtEnd() {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  return field
}

interface FormFrameProps {
  title: string
  submitLabel: string
  form: ReturnType<typeof useStepForm>
  onCancel: () => void
  children: ReactNode
}

/** What is proposed for a question and its step: to be changed, and either kept or not. */
export function FormFrame({ title, submitLabel, form, onCancel, children }: FormFrameProps) {
  const id = useId()
  const { ref, isBusy, submit, steps, chosenId, setChosenId, problems } = form
  return (
    <form
      ref={ref}
      noValidate
      aria-labelledby={id}
      onSubmit={submit}
      className="mt-3 grid animate-rise grid-cols-1 gap-4 rounded-control bg-sunken p-3.5"
    >
      <h4 id={id} className="text-sm font-semibold">
        {title}
      </h4>
      <FormField id={`${id}-step`} label="Step" problem={problems.step}>
        {(links) => (
          <Select {...links} value={chosenId ?? ''} onChange={({ target }) => setChosenId(target.value)}>
            {chosenId === null && <option value="">Choose a step</option>}
            {steps.map((step, index) => (
              <option key={step.id} value={step.id}>
                {`${index + 1}. ${step.title} (${formatTime(step.start)})`}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="small" isBusy={isBusy}>
          {isBusy ? 'Adding' : submitLabel}
        </Button>
      </div>
    </form>
  )
}
