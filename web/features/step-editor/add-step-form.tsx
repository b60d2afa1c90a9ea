import { Plus } from 'lucide-react'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { type StepProblems, validateAddedStep } from '#contract/step-editing.ts'
import { formatTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormField, Input, Textarea } from '#web/ui/form-controls.tsx'
import { type Playhead, usePlayheadSecond } from './playhead.ts'
import { makeManualStep, newStepTimes } from './step-change.ts'
import { readDraft, type StepDraft } from './step-drafts.ts'
import { ManualFlag, TimeField } from './step-fields.tsx'

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

const EMPTY = { title: '', description: '', aliases: '', notes: '', isManual: false, aiRewrite: null }

/** The typed values; a time that is null follows the video. */
type Typed = Omit<StepDraft, 'start' | 'end'> & { start: string | null; end: string | null }

/** What a form begins with that is not empty. */
interface ProposedStep {
  title: string
  /** Seconds; null follows the video. */
  startS: number | null
  isManual: boolean
}

interface AddedStepOptions {
  playhead: Playhead
  durationS: number | null
  proposal?: ProposedStep | undefined
  onAdd: (step: Step) => Promise<boolean>
}

/** The state of the form for a missing step. */
function useAddedStep({ playhead, durationS, proposal, onAdd }: AddedStepOptions) {
  const nowS = usePlayheadSecond(playhead) ?? 0
  const [typed, setTyped] = useState<Typed>(() => beginWith(proposal, durationS))
  const [isChecked, setIsChecked] = useState(false)
  const [isAdding, setIsAdding] = useState(false)
  const draft: StepDraft = { ...typed, ...defaultTimes(nowS, durationS), ...setTimes(typed) }
  const read = readDraft(draft)
  const problems = validateAddedStep(read, durationS)

  /** Once any field is edited, both times stop following the video. */
  function change(changed: Partial<StepDraft>) {
    setTyped({ ...draft, ...changed })
  }

  /** @returns what to do next: correct the form, continue with an empty one, or retry */
  async function submit(): Promise<'refused' | 'added' | 'failed'> {
    setIsChecked(true)
    if (Object.keys(problems).length > 0 || read.start === null || read.end === null) return 'refused'
    setIsAdding(true)
    const isAdded = await onAdd(makeManualStep({ ...read, start: read.start, end: read.end }))
    setIsAdding(false)
    if (!isAdded) return 'failed'
    setTyped({ ...EMPTY, start: null, end: null })
    setIsChecked(false)
    return 'added'
  }
  const shown: StepProblems = isChecked ? problems : {}
  return { draft, problems: shown, isAdding, change, submit }
}

function beginWith(proposal: ProposedStep | undefined, durationS: number | null): Typed {
  if (proposal === undefined) return { ...EMPTY, start: null, end: null }
  const { title, startS, isManual } = proposal
  const times = startS === null ? { start: null, end: null } : defaultTimes(startS, durationS)
  return { ...EMPTY, title, isManual, ...times }
}

function setTimes({ start, end }: Typed): Partial<Pick<StepDraft, 'start' | 'end'>> {
  return { ...(start !== null && { start }), ...(end !== null && { end }) }
}

function defaultTimes(nowS: number, durationS: number | null): Pick<StepDraft, 'start' | 'end'> {
  const { start, end } = newStepTimes(nowS, durationS)
  return { start: formatTime(start), end: formatTime(end) }
}
