import { Play } from 'lucide-react'
import type { Ref } from 'react'
import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import type { StepProblems } from '#contract/step-rules.ts'
import { parseTime } from '#web/lib/parse-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField } from '#web/ui/form-field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import type { Playhead } from './playhead.ts'
import { RewriteBox } from './rewrite-box.tsx'
import { readAliases, type StepDraft } from './step-draft.ts'
import { TimeField } from './time-field.tsx'

interface StepFieldsProps {
  moduleId: string
  /** Begins the ids of the fields. */
  idPrefix: string
  draft: StepDraft
  /** The messages to show. */
  problems: StepProblems
  playhead: Playhead
  titleRef: Ref<HTMLInputElement>
  onChange: (change: Partial<StepDraft>) => void
}

/** Everything of a step that a person may change. */
export function StepFields({ moduleId, idPrefix, titleRef, ...fields }: StepFieldsProps) {
  const { draft, problems, onChange } = fields
  const id = (name: string) => `${idPrefix}-${name}`
  return (
    <div className="grid grid-cols-1 gap-4">
      <FormField id={id('title')} label="Title" problem={problems.title}>
        {(links) => (
          <Input
            {...links}
            ref={titleRef}
            value={draft.title}
            onChange={({ target }) => onChange({ title: target.value })}
          />
        )}
      </FormField>
      <div>
        <DescriptionField id={id('description')} {...fields} />
        <RewriteBox
          moduleId={moduleId}
          text={draft.description}
          onKeep={(text) => {
            onChange({ description: text, aiRewrite: text })
            document.getElementById(id('description'))?.focus()
          }}
        />
      </div>
      <TimeFields id={id} {...fields} />
      <FormField
        id={id('aliases')}
        label="Aliases"
        hint={`${readAliases(draft.aliases).length} of ${STEP_RULES.maxAliases}`}
        problem={problems.aliases}
      >
        {(links) => (
          <Input
            {...links}
            value={draft.aliases}
            onChange={({ target }) => onChange({ aliases: target.value })}
            placeholder="Other names, separated by commas"
          />
        )}
      </FormField>
      <NotesField id={id('notes')} {...fields} />
      <ManualFlag isOn={draft.isManual} onChange={(isManual) => onChange({ isManual })} />
    </div>
  )
}

type FieldProps = Pick<StepFieldsProps, 'draft' | 'problems' | 'onChange'> & { id: string }

function DescriptionField({ id, draft, problems, onChange }: FieldProps) {
  const length = draft.description.trim().length
  return (
    <FormField
      id={id}
      label="Description"
      hint={`${length} of ${STEP_RULES.descriptionMaxChars}`}
      problem={problems.description}
    >
      {(links) => (
        <Textarea
          {...links}
          rows={3}
          value={draft.description}
          onChange={({ target }) => onChange({ description: target.value })}
          className="field-sizing-content min-h-20"
        />
      )}
    </FormField>
  )
}

function NotesField({ id, draft, onChange }: FieldProps) {
  return (
    <FormField id={id} label="Teaching notes" hint="Learners do not see them, and the tutor does not read them">
      {(links) => (
        <Textarea
          {...links}
          rows={2}
          maxLength={STEP_HARD_LIMITS.notesMaxChars}
          value={draft.notes}
          onChange={({ target }) => onChange({ notes: target.value })}
          className="field-sizing-content min-h-16"
        />
      )}
    </FormField>
  )
}

interface TimeFieldsProps extends Pick<StepFieldsProps, 'draft' | 'problems' | 'playhead' | 'onChange'> {
  id: (name: string) => string
}

function TimeFields({ id, draft, problems, playhead, onChange }: TimeFieldsProps) {
  const [startS, endS] = [parseTime(draft.start), parseTime(draft.end)]
  const canPreview = startS !== null && endS !== null && endS > startS && playhead.readTimeS() !== null
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-control bg-sunken p-3.5 sm:grid-cols-2">
      <TimeField
        id={id('start')}
        label="Start"
        value={draft.start}
        problem={problems.start}
        playhead={playhead}
        onChange={(start) => onChange({ start })}
      />
      <TimeField
        id={id('end')}
        label="End"
        value={draft.end}
        problem={problems.end}
        playhead={playhead}
        onChange={(end) => onChange({ end })}
      />
      <div className="sm:col-span-2">
        <Button
          variant="secondary"
          size="small"
          disabled={!canPreview}
          onClick={() => playhead.preview(startS ?? 0, endS ?? 0)}
        >
          <Play aria-hidden="true" className="size-4" />
          Preview this range
        </Button>
      </div>
    </div>
  )
}

/** @see specification §5 for its label */
export function ManualFlag({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="flex min-h-6 w-fit items-center gap-2.5 text-sm font-medium">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4.5 shrink-0 accent-brand"
      />
      This was missed in the video
    </label>
  )
}
