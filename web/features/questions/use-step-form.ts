import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Step } from '#contract/step.ts'
import type { QuestionFormProps } from './question-actions.ts'

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
  const form = useRef<HTMLFormElement>(null)
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
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    setIsBusy(true)
    const isSaved = await editStep(step.id, (now) => options.edit(now, text.trim()))
    setIsBusy(false)
    if (isSaved) onDone(options.describe(step.title))
  }
  return {
    form,
    field,
    text,
    setText,
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
