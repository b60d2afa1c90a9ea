import { useState, useSyncExternalStore } from 'react'
import type { Step } from '#contract/step.ts'
import type { Playhead } from './playhead.ts'
import { applyChange, type StepChange } from './step-change.ts'
import { isUnsaved, StepDrafts } from './step-drafts.ts'
import { editButtonId, useFocusRequest } from './use-focus-request.ts'
import { useListActions } from './use-list-actions.ts'

interface StepEditingOptions {
  steps: readonly Step[]
  /** Version of what the person has before them. */
  seenVersion: number
  playhead: Playhead
  /** Makes a change of the list, here or on the server. @returns whether it stays */
  apply: (change: StepChange) => Promise<boolean>
}

/** What a person does on a list of steps, wherever it is kept: open one and type, or change the list. */
export function useStepEditing({ steps: listed, seenVersion, playhead, apply }: StepEditingOptions) {
  const [drafts] = useState(() => new StepDrafts())
  const entries = useSyncExternalStore(drafts.subscribe, drafts.getAll)
  const [openId, setOpenId] = useState<string | null>(null)
  const requestFocus = useFocusRequest()
  const steps = withOpenStep(listed, openId === null ? undefined : entries.get(openId)?.base)

  function forgetUnchanged(id: string | null) {
    const entry = id === null ? undefined : drafts.get(id)
    if (entry !== undefined && !isUnsaved(entry)) drafts.discard(entry.base.id)
  }

  function open(step: Step) {
    forgetUnchanged(openId)
    drafts.begin(step, seenVersion)
    setOpenId(step.id)
  }

  function leave(id: string) {
    setOpenId((now) => (now === id ? null : now))
    requestFocus(editButtonId(id))
  }

  function close() {
    if (openId === null) return
    forgetUnchanged(openId)
    leave(openId)
  }

  function discard(id: string) {
    drafts.discard(id)
    if (openId === id) leave(id)
  }

  const actions = useListActions({ steps, drafts, playhead, apply, open, leave, requestFocus })
  const hasUnsaved = [...entries.values()].some(isUnsaved)
  return { steps, drafts, entries, openId, hasUnsaved, open, close, discard, ...actions }
}

export type StepEditing = ReturnType<typeof useStepEditing>

/** A run may take back a step that somebody is typing into; its form stays. */
function withOpenStep(steps: readonly Step[], open: Step | undefined): readonly Step[] {
  if (open === undefined || steps.some((step) => step.id === open.id)) return steps
  return applyChange(steps, { kind: 'replace', ids: [open.id], by: [open] })
}
