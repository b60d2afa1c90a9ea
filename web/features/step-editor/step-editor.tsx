import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { StepProblems } from '#contract/step-editing.ts'
import { Button } from '#web/ui/button.tsx'
import type { Playhead } from './playhead.ts'
import type { StepDraft } from './step-drafts.ts'
import { StepFields } from './step-fields.tsx'

interface StepEditorProps {
  moduleId: string
  stepId: string
  number: number
  draft: StepDraft
  problems: StepProblems
  /** Grows with every press that finds problems; the focus goes to the first of them. */
  refusals: number
  playhead: Playhead
  /** How far it is saved. */
  status?: ReactNode
  /** Buttons at the end of the form. */
  actions: ReactNode
  tools: ReactNode
  onChange: (change: Partial<StepDraft>) => void
  onSubmit: () => void
  onClose: () => void
}

/** The form that opens in the place of a step. */
export function StepEditor({ stepId, number, refusals, status, actions, tools, ...props }: StepEditorProps) {
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLInputElement>(null)
  const headingId = `editor-${stepId}`
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refusals])

  useEscape(form, props.onClose)
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
      className="scroll-my-20 rounded-card border border-brand bg-surface p-4 shadow-lift sm:p-5"
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span
          aria-hidden="true"
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-brand text-sm font-semibold text-on-brand tabular-nums"
        >
          {number}
        </span>
        <h3 id={headingId} className="font-semibold whitespace-nowrap">
          Edit step {number}
        </h3>
        <div className="ml-auto max-sm:order-last max-sm:ml-0 max-sm:basis-full max-sm:empty:hidden">{status}</div>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Close the editor"
          onClick={props.onClose}
          className="-mr-2 max-sm:ml-auto"
        >
          <X aria-hidden="true" className="size-5" />
        </Button>
      </div>
      <StepFields
        moduleId={props.moduleId}
        idPrefix={`step-${stepId}`}
        draft={props.draft}
        problems={props.problems}
        playhead={props.playhead}
        titleRef={title}
        onChange={props.onChange}
      />
      <div className="mt-5 flex flex-wrap items-center gap-2">{actions}</div>
      <div className="mt-4 border-t border-line pt-3">{tools}</div>
    </form>
  )
}

/** Closes the form from every field in it. */
function useEscape(form: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const element = form.current
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape' && !event.defaultPrevented) close()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [form])
}
