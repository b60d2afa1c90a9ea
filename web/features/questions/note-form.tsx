import { useId } from 'react'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { FormField } from '#web/ui/form-field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { FormFrame } from './form-frame.tsx'
import { proposeNote } from './propose.ts'
import type { QuestionFormProps } from './question-actions.ts'
import { StepChoice } from './step-choice.tsx'
import { useStepForm } from './use-step-form.ts'

/** Adds to the notes of a step, which only its owners read. */
export function NoteForm(props: QuestionFormProps) {
  const id = useId()
  const { form, field, text, setText, step, chosenId, setChosenId, problems, isBusy, submit } = useStepForm({
    ...props,
    initialText: proposeNote(props.group.text),
    findProblem: findNoteProblem,
    edit: (of, note) => ({ ...of, notes: joinNotes(of.notes, note) }),
    describe: (title) => `Teaching note added to “${title}”`,
  })
  return (
    <FormFrame
      ref={form}
      title="Add a teaching note"
      submitLabel={isBusy ? 'Adding' : 'Add note'}
      {...{ isBusy }}
      onSubmit={submit}
      onCancel={props.onCancel}
    >
      <StepChoice
        id={`${id}-step`}
        steps={props.steps}
        chosenId={chosenId}
        problem={problems.step}
        onChoose={setChosenId}
      />
      {step !== undefined && step.notes !== '' && (
        <div className="text-sm">
          <p className="font-medium">Notes so far</p>
          <p className="mt-1 max-h-32 overflow-y-auto whitespace-pre-line text-ink-soft">{step.notes}</p>
        </div>
      )}
      <FormField
        id={`${id}-note`}
        label="New note"
        hint="Learners do not see it, and the tutor does not read it"
        problem={problems.text}
      >
        {(links) => (
          <Textarea
            {...links}
            ref={field}
            rows={3}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="field-sizing-content min-h-20"
          />
        )}
      </FormField>
    </FormFrame>
  )
}

function joinNotes(notes: string, note: string): string {
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n${note}`
}

function findNoteProblem(text: string, { notes }: Step): string | undefined {
  const note = text.trim()
  if (note === '') return 'Write what you want to remember about this step'
  const tooLong = joinNotes(notes, note).length - STEP_HARD_LIMITS.notesMaxChars
  return tooLong > 0 ? `The notes of this step would be ${tooLong} characters too long` : undefined
}
