import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { StepProblems } from '#contract/step-editing.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { Button } from '#web/ui/button.tsx'
import type { Playhead } from './playhead.ts'
import { type DraftEntry, editStep } from './step-drafts.ts'
import { StepFields } from './step-fields.tsx'
import { StepTools } from './step-tools.tsx'
import type { StepEditing } from './use-step-editing.ts'

export interface StepEditorProps {
  moduleId: string
  /** Address of the poster; null where there are no images. */
  posterUrl: string | null
  entry: DraftEntry
  number: number
  problems: StepProblems
  /** Grows with every press that finds problems; the focus goes to the first of them. */
  refusals: number
  playhead: Playhead
  editing: StepEditing
  /** How far it is saved. */
  status?: ReactNode
  actions: ReactNode
  onSubmit: () => void
  /** Makes a change that takes the step as its form shows it. */
  reshape: (change: () => void) => void
}

/** The form that opens in the place of a step. */
export function StepEditor({ entry, number, refusals, editing, playhead, status, actions, ...props }: StepEditorProps) {
  const { id: stepId } = entry.base
  const form = useRef<HTMLFormElement>(null)
  const headingId = `editor-${stepId}`
  const title = useFormFocus(form, refusals)
  const typed = editStep(entry.base, entry.draft)
  useEscape(form, editing.close)
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
      className="scroll-my-20 rounded-card border border-brand bg-surface p-4 shadow-lift @xl:p-5"
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span
          aria-hidden="true"
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-brand text-sm font-semibold text-on-brand tabular-nums"
        >
          {number}
        </span>
        <h3 id={headingId} className="font-semibold whitespace-nowrap">
          {m.edit_step_number({ number })}
        </h3>
        <div className="ms-auto @max-xl:order-last @max-xl:ms-0 @max-xl:basis-full @max-xl:empty:hidden">{status}</div>
        <Button
          variant="ghost"
          size="icon"
          aria-label={m.close_the_editor()}
          onClick={editing.close}
          className="-me-2 @max-xl:ms-auto"
        >
          <X aria-hidden="true" className="size-5" />
        </Button>
      </div>
      <StepFields
        moduleId={props.moduleId}
        posterUrl={props.posterUrl}
        image={typed.image}
        notesEdited={typed.notesEdited}
        spoken={entry.base.originalText}
        id={`step-${stepId}`}
        draft={entry.draft}
        problems={props.problems}
        playhead={playhead}
        titleRef={title}
        onChange={(change) => editing.drafts.change(stepId, change)}
      />
      <div className="mt-5 flex flex-wrap items-center gap-2">{actions}</div>
      <div className="mt-4 border-t border-line pt-3">
        <StepTools {...{ stepId, number, playhead, editing }} reshape={props.reshape} />
      </div>
    </form>
  )
}

/** Gives the focus to the title at first, and after a refusal to the first field with a problem. */
function useFormFocus(form: RefObject<HTMLElement | null>, refusals: number): RefObject<HTMLInputElement | null> {
  const title = useRef<HTMLInputElement>(null)
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [form])
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, refusals])
  return title
}

/** Closes the form from every field in it. */
function useEscape(form: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const keydown = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && close()
    return form.current === null ? undefined : listen(form.current, { keydown })
  }, [form])
}
