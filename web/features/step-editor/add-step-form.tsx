import { Plus } from 'lucide-react'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormField } from '#web/ui/form-field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import type { Playhead } from './playhead.ts'
import { ManualFlag } from './step-fields.tsx'
import { TimeField } from './time-field.tsx'
import { type ProposedStep, useAddedStep } from './use-added-step.ts'

interface AddStepFormProps {
  playhead: Playhead
  durationS: number | null
  /** What the form begins with; it then stands beside what proposes it, and can be closed. */
  proposal?: ProposedStep
  onCancel?: () => void
  /** @returns whether the step stays; otherwise the form keeps what was typed */
  onAdd: (step: Step) => Promise<boolean>
}

/** Lets an owner add a step that the pipeline has not found. @see specification §5 for its rules */
export function AddStepForm(props: AddStepFormProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLInputElement>(null)
  const { draft, problems, isAdding, change, submit } = useAddedStep(props)
  const [said, setSaid] = useState('')
  const isProposed = props.proposal !== undefined
  useEffect(() => {
    if (isProposed) title.current?.focus()
  }, [isProposed])

  async function onSubmit() {
    const outcome = await submit()
    setSaid(outcome === 'added' ? `Step “${draft.title.trim()}” added.` : '')
    if (outcome === 'added') title.current?.focus()
    if (outcome === 'refused') setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return (
    <Card className="p-4 sm:p-5">
      <form
        ref={form}
        noValidate
        aria-labelledby={`${id}-heading`}
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
        className="grid grid-cols-1 gap-4"
      >
        {isProposed ? (
          <h4 id={`${id}-heading`} className="text-sm font-semibold">
            Add a step
          </h4>
        ) : (
          <Invitation headingId={`${id}-heading`} />
        )}
        <p role="status" className="sr-only">
          {said}
        </p>
        <AddedFields {...{ id, draft, problems, change }} titleRef={title} playhead={props.playhead} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <ManualFlag isOn={draft.isManual} onChange={(isManual) => change({ isManual })} />
          <div className="ml-auto flex flex-wrap justify-end gap-2">
            {props.onCancel && (
              <Button variant="secondary" onClick={props.onCancel}>
                Cancel
              </Button>
            )}
            <Button type="submit" isBusy={isAdding}>
              {!isAdding && <Plus aria-hidden="true" className="size-4" />}
              {isAdding ? 'Adding' : 'Add step'}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  )
}

function Invitation({ headingId }: { headingId: string }) {
  return (
    <div>
      <h2 id={headingId} className="text-lg font-semibold">
        Need to add a missing step?
      </h2>
      <p className="mt-0.5 text-sm text-ink-soft">Its times follow the video until you change something here.</p>
    </div>
  )
}

type AddedTimesProps = Pick<ReturnType<typeof useAddedStep>, 'draft' | 'problems' | 'change'> & {
  id: string
  playhead: Playhead
}

function AddedFields({ titleRef, ...props }: AddedTimesProps & { titleRef: Ref<HTMLInputElement> }) {
  const { id, draft, problems, change } = props
  return (
    <>
      <FormField id={`${id}-title`} label="Title" problem={problems.title}>
        {(links) => (
          <Input
            {...links}
            ref={titleRef}
            maxLength={STEP_HARD_LIMITS.titleMaxChars}
            value={draft.title}
            onChange={({ target }) => change({ title: target.value })}
          />
        )}
      </FormField>
      <FormField id={`${id}-description`} label="Description" hint="Optional">
        {(links) => (
          <Textarea
            {...links}
            rows={2}
            maxLength={STEP_HARD_LIMITS.descriptionMaxChars}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
            className="field-sizing-content min-h-16"
          />
        )}
      </FormField>
      <AddedTimes {...props} />
      <FormField id={`${id}-aliases`} label="Aliases" hint="Optional, separated by commas" problem={problems.aliases}>
        {(links) => (
          <Input {...links} value={draft.aliases} onChange={({ target }) => change({ aliases: target.value })} />
        )}
      </FormField>
    </>
  )
}

function AddedTimes({ id, draft, problems, change, playhead }: AddedTimesProps) {
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-control bg-sunken p-3.5 sm:grid-cols-2">
      <TimeField
        id={`${id}-start`}
        label="Start"
        value={draft.start}
        problem={problems.start}
        playhead={playhead}
        onChange={(start) => change({ start })}
      />
      <TimeField
        id={`${id}-end`}
        label="End"
        value={draft.end}
        problem={problems.end}
        playhead={playhead}
        onChange={(end) => change({ end })}
      />
    </div>
  )
}
