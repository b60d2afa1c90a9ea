import { ChevronRight, Pencil, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { findHeading } from '#contract/chapters.ts'
import { STEP_RULES } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { type Cuts, clampSpan } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { KeepPlace } from '#web/features/step/growing-steps.tsx'
import { ChapterHeading, StepCard, useNewcomers } from '#web/features/step/step-list.tsx'
import { countErrors } from '#web/features/step-editor/auto-save.tsx'
import { type DraftEntry, editStep, isUnsaved } from '#web/features/step-editor/step-drafts.ts'
import { chapterButtonId, editButtonId, type StepEditing } from '#web/features/step-editor/use-step-editing.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { TitleEditor } from '#web/ui/form-controls.tsx'
import { SortableList } from '#web/ui/sortable-list.tsx'

interface StepRowsProps {
  editing: StepEditing
  /** Address of the poster; null where there are no images. */
  posterUrl: string | null
  currentId: string | null
  onJump: (step: Step) => void
  /** Draws the form in the place of the step that is open. */
  renderEditor: (entry: DraftEntry, number: number) => ReactNode
  /** What is left out of the video. */
  cuts?: Cuts | undefined
  /** Problems of a step that are shown. */
  errorCountOf?: (step: Step) => number
  /** What learners report from a step, whether it is open or not. */
  renderReports?: (step: Step) => ReactNode
  /** More buttons of a step that is not open. */
  renderActions?: (step: Step, number: number) => ReactNode
}

export function StepRows({ editing, posterUrl, currentId, onJump, renderEditor, ...props }: StepRowsProps) {
  const { steps, openId, entries } = editing
  const isNew = useNewcomers(steps)
  function renderStep(step: Step, index: number, handle: ReactNode) {
    const entry = entries.get(step.id)
    const reports = props.renderReports?.(step)
    if (entry !== undefined && step.id === openId) {
      return (
        <>
          {renderEditor(entry, index + 1)}
          {reports}
        </>
      )
    }
    const typed = readTyped(step, entry)
    return (
      <StepCard
        {...{ posterUrl }}
        step={typed}
        number={index + 1}
        isCurrent={step.id === currentId}
        isNew={isNew(step)}
        onJump={(seconds) => onJump({ ...step, start: seconds })}
        badge={
          <>
            <DraftBadge entry={entry} errorCount={props.errorCountOf?.(step) ?? 0} />
            <StateBadges isLeftOut={clampSpan(step, props.cuts ?? []) === null} step={typed} />
          </>
        }
        actions={
          <>
            <EditButton step={step} number={index + 1} onPress={() => editing.open(step)} />
            {props.renderActions?.(step, index + 1)}
            {handle}
          </>
        }
      >
        <TeachingNote step={typed} />
        {reports}
      </StepCard>
    )
  }
  return (
    <KeepPlace>
      <p role="status" className="sr-only">
        {editing.announcement}
      </p>
      <SortableList
        noun="step"
        items={steps}
        onReorder={editing.reorder}
        renderHeading={(step, index) => <EditableHeading {...{ step, editing }} title={findHeading(steps, index)} />}
        renderItem={renderStep}
      />
    </KeepPlace>
  )
}

/** What owners alone read of a step, closed until it is asked for. It lies above the button that the card is. */
function TeachingNote({ step: { notes, notesEdited, notesQuotable } }: { step: Step }) {
  if (notes === '') return null
  return (
    <details className="group/note relative z-1 mt-2 max-w-full text-sm open:w-full">
      <summary className="flex min-h-8 w-fit max-w-full cursor-pointer list-none flex-wrap items-center gap-x-2 gap-y-1 rounded-chip font-medium text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <span className="flex items-center gap-1.5">
          <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open/note:rotate-90" />
          {m.teaching_note()}
        </span>
        {!notesEdited && <Badge>{m.notes_written_by_ai()}</Badge>}
      </summary>
      <div className="mt-1 rounded-control bg-sunken px-3.5 py-2.5 leading-relaxed text-ink-soft">
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {notes}
        </p>
        {notesQuotable && <p className="mt-1.5 text-xs font-medium">{m.tutor_may_quote_notes_of_step()}</p>}
      </div>
    </details>
  )
}

interface EditableHeadingProps {
  step: Step
  title: string | null | undefined
  editing: StepEditing
}

/** The heading of a chapter, which is renamed where it stands. */
function EditableHeading({ step: { id }, title, editing }: EditableHeadingProps) {
  const { namedId, nameChapter, removeHeading } = editing
  if (namedId === id) {
    return (
      <div className="pt-4 pb-2.5">
        <TitleEditor
          value={title ?? ''}
          label={m.chapter_title()}
          maxChars={STEP_RULES.titleMaxChars}
          onSave={(typed) => nameChapter(id, typed)}
          onCancel={() => nameChapter(id, null)}
        />
      </div>
    )
  }
  const button = { variant: 'ghost', size: 'icon', className: 'size-8! text-ink-faint!' } as const
  return (
    <ChapterHeading title={title}>
      <div className="-my-1 -me-1.5 flex">
        <Button
          {...button}
          id={chapterButtonId(id)}
          aria-label={m.rename_chapter_title({ title: title ?? '' })}
          onClick={() => nameChapter(id)}
        >
          <Pencil aria-hidden="true" className="size-3.5" />
        </Button>
        <Button
          {...button}
          aria-label={m.remove_heading_title({ title: title ?? '' })}
          onClick={() => removeHeading(id)}
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </ChapterHeading>
  )
}

function StateBadges({ isLeftOut, step: { proposedCallouts } }: { isLeftOut: boolean; step: Step }) {
  return (
    <>
      {isLeftOut && <Badge className="mt-0.5">{m.left_out()}</Badge>}
      {proposedCallouts.length > 0 && (
        <Badge tone="brand" className="mt-0.5">
          {countProposed(proposedCallouts.length)}
        </Badge>
      )}
    </>
  )
}

/** What the editor of a step has to decide on. */
function countProposed(count: number): string {
  return m.callouts_proposed({ count })
}

/** A step that is not open still shows what has been typed into it. */
function readTyped(step: Step, entry: DraftEntry | undefined): Step {
  const typed = entry !== undefined && isUnsaved(entry) ? editStep(step, entry.draft) : step
  return typed.title === '' ? { ...typed, title: m.untitled_step() } : typed
}

/** Shows that a step has unsaved changes, or how many problems prevent saving. */
function DraftBadge({ entry, errorCount }: { entry: DraftEntry | undefined; errorCount: number }) {
  if (errorCount === 0 && (entry === undefined || !isUnsaved(entry))) return null
  return (
    <Badge tone={errorCount > 0 ? 'danger' : 'warn'} className="mt-0.5">
      {errorCount > 0 ? countErrors(errorCount) : m.unsaved()}
    </Badge>
  )
}

function EditButton({ step, number, onPress }: { step: Step; number: number; onPress: () => void }) {
  return (
    <Button
      id={editButtonId(step.id)}
      variant="ghost"
      size="small"
      aria-label={m.edit_step_number_title({ number, title: step.title })}
      onClick={onPress}
      className="px-2!"
    >
      <Pencil aria-hidden="true" className="size-3.5" />
      <span className="narrow-column-label">{m.edit_action()}</span>
    </Button>
  )
}
