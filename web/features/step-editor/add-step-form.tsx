import { Plus } from 'lucide-react'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import type { Step } from '#contract/step.ts'
import { findEarlyProblems, validateAddedStep } from '#contract/step-editing.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { type Playhead, usePlayheadSecond } from './playhead.ts'
import { makeManualStep, newStepTimes } from './step-change.ts'
import { type DraftForm, readDraft, type StepDraft } from './step-drafts.ts'
import { DescriptionText, ManualFlag, TextField, TitleField } from './step-fields.tsx'
import { TimeFields } from './time-fields.tsx'

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
  const [notice, setNotice] = useState('')
  const isProposed = props.proposal !== undefined
  useEffect(() => {
    if (isProposed) title.current?.focus()
  }, [isProposed])

  async function onSubmit() {
    const outcome = await submit()
    setNotice(outcome === 'added' ? m.step_trim_added({ trim: draft.title.trim() }) : '')
    if (outcome === 'added') title.current?.focus()
    if (outcome === 'refused') setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return (
    <Card className="@container p-4 sm:p-5">
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
        <Heading id={`${id}-heading`} isProposed={isProposed} />
        <p role="status" className="sr-only">
          {notice}
        </p>
        <AddedFields form={{ id, draft, problems, onChange: change }} playhead={props.playhead} titleRef={title} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <ManualFlag isOn={draft.isManual} onChange={(isManual) => change({ isManual })} />
          <div className="ms-auto flex flex-wrap justify-end gap-2">
            {props.onCancel && (
              <Button variant="secondary" onClick={props.onCancel}>
                {m.cancel()}
              </Button>
            )}
            <Button type="submit" isBusy={isAdding}>
              {!isAdding && <Plus aria-hidden="true" className="size-4" />}
              {isAdding ? m.adding() : m.add_step_label()}
            </Button>
          </div>
        </div>
      </form>
    </Card>
  )
}

function Heading({ id, isProposed }: { id: string; isProposed: boolean }) {
  return isProposed ? (
    <h4 id={id} className="text-sm font-semibold">
      {m.add_a_step()}
    </h4>
  ) : (
    <div>
      <h2 id={id} className="text-lg font-semibold">
        {m.need_to_add_a_missing()}
      </h2>
      <p className="mt-0.5 text-sm text-ink-soft">{m.its_times_follow_the_video()}</p>
    </div>
  )
}

interface AddedFieldsProps {
  form: DraftForm
  playhead: Playhead
  titleRef: Ref<HTMLInputElement>
}

function AddedFields({ form, playhead, titleRef }: AddedFieldsProps) {
  return (
    <>
      <TitleField form={form} ref={titleRef} />
      <DescriptionText form={form} note={m.optional_here()} rows={2} />
      <TimeFields {...{ form, playhead }} />
      <TextField form={form} name="aliases" label={m.aliases()} hint={m.optional_separated_by_commas()} />
    </>
  )
}

/** The typed values; a time that is null follows the video. */
type Typed = Omit<StepDraft, 'start' | 'end'> & { start: string | null; end: string | null }

const EMPTY: Typed = {
  title: '',
  description: '',
  start: null,
  end: null,
  aliases: '',
  notes: '',
  notesQuotable: false,
  // As a new step of the editor of all steps: what a person adds was missed.
  isManual: true,
  aiRewrite: null,
  beforeRewrite: null,
  callouts: [],
  proposedCallouts: [],
  commands: [],
  imageAt: null,
  focus: null,
}

/** The initial values of a form that is not empty. */
interface ProposedStep {
  title: string
  /** Seconds; null follows the video. */
  startS: number | null
  isManual: boolean
}

/** The state of the form for a missing step. */
function useAddedStep({ playhead, durationS, proposal, onAdd }: AddStepFormProps) {
  const nowS = usePlayheadSecond(playhead) ?? 0
  const [typed, setTyped] = useState<Typed>(() => beginWith(proposal, durationS))
  const [isChecked, setIsChecked] = useState(false)
  const [isAdding, setIsAdding] = useState(false)
  const times = defaultTimes(nowS, durationS)
  const draft: StepDraft = { ...typed, start: typed.start ?? times.start, end: typed.end ?? times.end }
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
    setTyped(EMPTY)
    setIsChecked(false)
    return 'added'
  }
  return { draft, problems: isChecked ? problems : findEarlyProblems(read, durationS), isAdding, change, submit }
}

function beginWith(proposal: ProposedStep | undefined, durationS: number | null): Typed {
  if (proposal === undefined) return EMPTY
  const { title, startS, isManual } = proposal
  return { ...EMPTY, title, isManual, ...(startS !== null && defaultTimes(startS, durationS)) }
}

function defaultTimes(nowS: number, durationS: number | null): Pick<StepDraft, 'start' | 'end'> {
  const { start, end } = newStepTimes(nowS, durationS)
  return { start: formatTime(start), end: formatTime(end) }
}
