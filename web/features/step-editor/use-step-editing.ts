import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { Step } from '#contract/step.ts'
import type { Playhead } from './playhead.ts'
import type { KnownSteps } from './save-queue.ts'
import { applyChange, type StepChange } from './step-change.ts'
import { isSameStep } from './step-draft.ts'
import { isUnsaved, StepDrafts } from './step-drafts.ts'
import { editButtonId, useFocusRequest } from './use-focus-request.ts'
import { useListActions } from './use-list-actions.ts'

interface StepEditingOptions {
  /** As the person sees them. */
  steps: readonly Step[]
  /** As the server has them. */
  known: KnownSteps
  isForeignSince: (version: number) => boolean
  playhead: Playhead
  /** Makes a change of the list, here or on the server. @returns whether it stays */
  apply: (change: StepChange) => Promise<boolean>
}

/** What a person does on a list of steps, wherever it is kept: open one and type, or change the list. */
export function useStepEditing({ steps: listed, known, isForeignSince, playhead, apply }: StepEditingOptions) {
  const [drafts] = useState(() => new StepDrafts())
  const entries = useSyncExternalStore(drafts.subscribe, drafts.getAll)
  const [openId, setOpenId] = useState<string | null>(null)
  const requestFocus = useFocusRequest()
  const steps = withOpenStep(listed, openId === null ? undefined : entries.get(openId)?.base)

  useFollowingDrafts(drafts, { steps: listed, known, isForeignSince })

  function forgetUnchanged(id: string | null) {
    const entry = id === null ? undefined : drafts.get(id)
    if (entry !== undefined && !isUnsaved(entry)) drafts.discard(entry.base.id)
  }

  function open(step: Step) {
    forgetUnchanged(openId)
    drafts.begin(step, known.version)
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

/**
 * What the pipeline improves while a form is open appears in its fields, except in those that have been edited. A
 * step that is being saved, or is changed on this page only, is left alone.
 */
function useFollowingDrafts(
  drafts: StepDrafts,
  { steps, known, isForeignSince }: Pick<StepEditingOptions, 'steps' | 'known' | 'isForeignSince'>,
): void {
  const follow = useEffectEvent(() => {
    for (const entry of drafts.getAll().values()) {
      const now = known.steps.find((step) => step.id === entry.base.id)
      const listed = steps.find((step) => step.id === entry.base.id)
      if (now === undefined || listed === undefined || !isSameStep(now, listed)) continue
      const mayFollow = !isUnsaved(entry) || !isForeignSince(entry.seenVersion)
      if (mayFollow && !isSameStep(now, entry.base)) drafts.rebase(now, known.version)
    }
  })
  useEffect(() => follow(), [known])
}

/** A run may remove a step while a person edits it; its form stays. */
function withOpenStep(steps: readonly Step[], open: Step | undefined): readonly Step[] {
  if (open === undefined || steps.some((step) => step.id === open.id)) return steps
  return applyChange(steps, { kind: 'replace', ids: [open.id], by: [open] })
}
