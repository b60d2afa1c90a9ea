import { useId } from 'react'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { validateAddedStep } from '#contract/step-rules.ts'
import { FormField } from '#web/ui/form-field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormFrame } from './form-frame.tsx'
import { proposeAlias } from './propose.ts'
import type { QuestionFormProps } from './question-actions.ts'
import { StepChoice } from './step-choice.tsx'
import { useStepForm } from './use-step-form.ts'

/** Makes the words of a question another name of a step, under which the tutor finds it. */
export function AliasForm(props: QuestionFormProps) {
  const id = useId()
  const { form, field, text, setText, step, chosenId, setChosenId, problems, isBusy, submit } = useStepForm({
    ...props,
    initialText: proposeAlias(props.group.text),
    findProblem: findAliasProblem,
    edit: addAlias,
    describe: (title) => `Alias added to “${title}”`,
  })
  return (
    <FormFrame
      ref={form}
      title="Add as alias"
      submitLabel={isBusy ? 'Adding' : 'Add alias'}
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
      <FormField
        id={`${id}-alias`}
        label="Alias"
        hint={step && `${step.aliases.length} of ${STEP_HARD_LIMITS.maxAliases} used`}
        problem={problems.text}
      >
        {(links) => <Input {...links} ref={field} value={text} onChange={({ target }) => setText(target.value)} />}
      </FormField>
    </FormFrame>
  )
}

function addAlias(step: Step, alias: string): Step {
  return { ...step, aliases: [...step.aliases, alias] }
}

function findAliasProblem(text: string, step: Step): string | undefined {
  const alias = text.trim()
  if (alias === '') return 'Alias is required'
  if (alias.includes(',')) return 'Add one alias at a time, without commas'
  const isThere = step.aliases.some((other) => other.toLowerCase() === alias.toLowerCase())
  return isThere ? 'This step has this alias already' : validateAddedStep(addAlias(step, alias)).aliases
}
