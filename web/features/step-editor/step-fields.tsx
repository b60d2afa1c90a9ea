import { Crosshair, Minus, Play, Plus } from 'lucide-react'
import type { Ref } from 'react'
import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import type { StepProblems } from '#contract/step-editing.ts'
import { formatTime, parseTime } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Input, Textarea } from '#web/ui/form-controls.tsx'
import type { Playhead } from './playhead.ts'
import { RewriteBox } from './rewrite-box.tsx'
import { nudgeTime, readAliases, type StepDraft } from './step-drafts.ts'

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

interface TimeFieldProps {
  id: string
  label: string
  value: string
  problem: string | undefined
  playhead: Playhead
  onChange: (value: string) => void
}

/** A time as `mm:ss`: typed, moved by a second, or taken from the video. */
export function TimeField({ id, label, value, problem, playhead, onChange }: TimeFieldProps) {
  const name = label.toLowerCase()
  function nudge(byS: -1 | 1) {
    onChange(nudgeTime(value, byS) ?? value)
  }
  function takeCurrent() {
    const timeS = playhead.readTimeS()
    if (timeS !== null) onChange(formatTime(timeS))
  }
  return (
    <FormField id={id} label={label} problem={problem}>
      {(links) => (
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
          <div className="flex items-center gap-1">
            <Nudge label={`Move ${name} one second earlier`} icon={Minus} onPress={() => nudge(-1)} />
            <Input
              {...links}
              value={value}
              onChange={(event) => onChange(event.target.value)}
              placeholder="mm:ss"
              autoComplete="off"
              spellCheck={false}
              className="w-24! text-center tabular-nums"
            />
            <Nudge label={`Move ${name} one second later`} icon={Plus} onPress={() => nudge(1)} />
          </div>
          <Button
            variant="ghost"
            size="small"
            disabled={playhead.readTimeS() === null}
            aria-label={`Use current time as ${name}`}
            onClick={takeCurrent}
            className="-ml-2 px-2! text-brand-ink!"
          >
            <Crosshair aria-hidden="true" className="size-4" />
            Use current time
          </Button>
        </div>
      )}
    </FormField>
  )
}

function Nudge({ label, icon: Icon, onPress }: { label: string; icon: typeof Plus; onPress: () => void }) {
  return (
    <Button variant="secondary" size="icon" aria-label={label} title={label} onClick={onPress} className="size-9!">
      <Icon aria-hidden="true" className="size-4" />
    </Button>
  )
}
