import { ChevronRight, Play, Undo2 } from 'lucide-react'
import type { ChangeEvent, Ref } from 'react'
import { STEP_RULES } from '#contract/limits.ts'
import * as m from '#messages'
import { parseTime } from '#web/lib/format/parse-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Input, Textarea } from '#web/ui/form-controls.tsx'
import { CalloutFields } from './callout-fields.tsx'
import { CommandFields } from './command-fields.tsx'
import { FocusField } from './focus/focus-field.tsx'
import { ImageField } from './image-field.tsx'
import type { Playhead } from './playhead.ts'
import { RewriteBox } from './rewrite-box.tsx'
import { type DraftForm, keepRewrite, readAliases, type StepDraft } from './step-drafts.ts'
import { TimeFields } from './time-fields.tsx'

interface StepFieldsProps extends DraftForm {
  moduleId: string
  /** Address of the poster; null where there are no images. */
  posterUrl: string | null
  /** Name of the image of the step as it is typed; `poster` where its own is still to be made. */
  image: string | null
  /** The transcript of the step; empty where there is none. */
  spoken: string
  /** Whether a person has written or changed the notes. */
  notesEdited: boolean
  playhead: Playhead
  titleRef: Ref<HTMLInputElement>
}

/** Everything of a step that a person may change. */
export function StepFields({ moduleId, posterUrl, image, spoken, playhead, titleRef, ...fields }: StepFieldsProps) {
  const { notesEdited, ...form } = fields
  const { draft, onChange } = form
  const [startS, endS] = [parseTime(draft.start), parseTime(draft.end)]
  const canPreview = startS !== null && endS !== null && endS > startS && playhead.readTimeS() !== null
  return (
    <div className="grid grid-cols-1 gap-4">
      <TitleField form={form} ref={titleRef} />
      <DescriptionField {...{ form, moduleId, spoken }} />
      <TimeFields form={form} playhead={playhead}>
        <div className="@xl:col-span-2">
          <Button
            variant="secondary"
            size="small"
            disabled={!canPreview}
            onClick={() => playhead.preview(startS ?? 0, endS ?? 0)}
          >
            <Play aria-hidden="true" className="size-4" />
            {m.preview_this_range()}
          </Button>
        </div>
      </TimeFields>
      <ImageField
        {...{ moduleId, posterUrl, image, playhead }}
        imageAt={draft.imageAt}
        onChange={(imageAt) => onChange({ imageAt })}
      />
      {posterUrl !== null && (
        <FocusField
          {...{ moduleId, posterUrl }}
          image={image ?? 'poster'}
          focus={draft.focus}
          span={canPreview ? { startS, endS } : null}
          onChange={(focus) => onChange({ focus })}
        />
      )}
      <CalloutFields callouts={draft.callouts} proposed={draft.proposedCallouts} onChange={onChange} />
      <CommandFields
        commands={draft.commands}
        readTimeMs={() => findMomentMs(playhead.readTimeS(), startS ?? 0, endS)}
        onChange={(commands) => onChange({ commands })}
      />
      <TextField
        form={form}
        name="aliases"
        label={m.aliases()}
        hint={m.length_of_maxaliases({ length: readAliases(draft.aliases).length, maxAliases: STEP_RULES.maxAliases })}
        placeholder={m.other_names_separated_by_commas()}
      />
      <NotesField {...{ form, notesEdited }} />
      <ManualFlag isOn={draft.isManual} onChange={(isManual) => onChange({ isManual })} />
    </div>
  )
}

/** Where the video stands, if that is inside the step; otherwise its beginning. */
function findMomentMs(timeS: number | null, startS: number, endS: number | null): number {
  const isInside = timeS !== null && timeS >= startS && endS !== null && timeS < endS
  return Math.round((isInside ? timeS : startS) * 1_000)
}

/** The description, with its other wordings and the words that it was made of. */
function DescriptionField({
  form,
  moduleId,
  spoken,
}: { form: DraftForm } & Pick<StepFieldsProps, 'moduleId' | 'spoken'>) {
  const { id, draft, onChange } = form
  function change(changed: Partial<StepDraft>) {
    onChange(changed)
    document.getElementById(`${id}-description`)?.focus()
  }
  return (
    <div>
      <DescriptionText form={form} rows={3} />
      <RewriteBox moduleId={moduleId} text={draft.description} onKeep={(text) => change(keepRewrite(draft, text))} />
      {draft.beforeRewrite !== null && (
        <BeforeRewrite
          text={draft.beforeRewrite}
          onTakeBack={() => change({ description: draft.beforeRewrite ?? '', aiRewrite: null, beforeRewrite: null })}
        />
      )}
      {spoken !== '' && <SpokenText text={spoken} />}
    </div>
  )
}

/** What stood in the description before it was rewritten, and the way back to it. */
function BeforeRewrite({ text, onTakeBack }: { text: string; onTakeBack: () => void }) {
  return (
    <div className="mt-2 rounded-control bg-sunken p-3.5 text-sm">
      <p className="text-xs font-medium text-ink-soft">{m.before_the_ai_rewrite()}</p>
      <p dir="auto" className="mt-1 max-h-40 overflow-y-auto whitespace-pre-line text-ink-soft wrap-anywhere">
        {text}
      </p>
      <Button variant="secondary" size="small" onClick={onTakeBack} className="mt-2.5">
        <Undo2 aria-hidden="true" className="size-4" />
        {m.use_this_text_again()}
      </Button>
    </div>
  )
}

/** The words that the step was made of. */
function SpokenText({ text }: { text: string }) {
  return (
    <details className="group mt-2 text-sm">
      <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-chip font-medium text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
        {m.what_is_said_in_this()}
      </summary>
      <blockquote
        dir="auto"
        className="mt-1 max-h-60 overflow-y-auto rounded-control bg-sunken p-3.5 leading-relaxed text-ink-soft wrap-anywhere"
      >
        {text}
      </blockquote>
    </details>
  )
}

/** The teaching notes, and whether the tutor may quote them to learners. */
function NotesField({ form, notesEdited }: { form: DraftForm } & Pick<StepFieldsProps, 'notesEdited'>) {
  const { notes, notesQuotable } = form.draft
  const max = STEP_RULES.notesMaxChars
  const hints = [
    ...(notes !== '' && !notesEdited ? [m.notes_written_by_ai()] : []),
    ...(notesQuotable ? [] : [m.learners_do_not_see_them()]),
    m.count_of_max({ count: notes.trim().length, max }),
  ]
  return (
    <div className="grid grid-cols-1 gap-2">
      {/* Merged steps have longer notes, which can be shortened. */}
      <TextField
        form={form}
        name="notes"
        label={m.teaching_notes()}
        hint={hints.join(' · ')}
        rows={2}
        maxLength={Math.max(max, notes.length)}
      />
      <Tick
        label={m.learners_tutor_may_quote_this()}
        isOn={notesQuotable}
        onChange={(isOn) => form.onChange({ notesQuotable: isOn })}
      />
    </div>
  )
}

const HEIGHTS = { 2: 'min-h-16', 3: 'min-h-20' } as const

interface TextFieldProps {
  form: DraftForm
  name: 'title' | 'description' | 'aliases' | 'notes'
  label: string
  hint?: string
  /** Of a field of several lines. */
  rows?: keyof typeof HEIGHTS | undefined
  maxLength?: number
  placeholder?: string
  ref?: Ref<HTMLInputElement>
}

export function TitleField({ form, ref }: Pick<TextFieldProps, 'form' | 'ref'>) {
  const hint = m.count_of_max({
    count: form.draft.title.trim().length,
    max: STEP_RULES.titleMaxChars,
  })
  return <TextField form={form} name="title" label={m.title()} hint={hint} ref={ref} />
}

/** @param props.note what else there is to know before typing */
export function DescriptionText({ form, rows, note }: Pick<TextFieldProps, 'form' | 'rows'> & { note?: string }) {
  const count = m.count_of_max({
    count: form.draft.description.trim().length,
    max: STEP_RULES.descriptionMaxChars,
  })
  const hint = note === undefined ? count : `${note}, ${count}`
  return <TextField form={form} name="description" label={m.description()} hint={hint} rows={rows} />
}

export function TextField({ form, name, label, hint, rows, ref, ...limits }: TextFieldProps) {
  const { id, draft, problems, onChange } = form
  const value = draft[name]
  const change = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: target.value })
  return (
    <FormField id={`${id}-${name}`} label={label} hint={hint} problem={name === 'notes' ? undefined : problems[name]}>
      {(links) =>
        rows === undefined ? (
          <Input {...links} {...limits} ref={ref} value={value} onChange={change} />
        ) : (
          <Textarea
            {...links}
            {...limits}
            rows={rows}
            value={value}
            onChange={change}
            className={`field-sizing-content ${HEIGHTS[rows]}`}
          />
        )
      }
    </FormField>
  )
}

interface TickProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** @see specification §5 for its label */
export function ManualFlag(flag: Omit<TickProps, 'label'>) {
  return <Tick label={m.this_was_missed_in_the()} {...flag} />
}

function Tick({ label, isOn, onChange }: TickProps) {
  return (
    <label className="flex min-h-6 w-fit items-center gap-2.5 text-sm font-medium">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4.5 shrink-0 accent-brand"
      />
      {label}
    </label>
  )
}
