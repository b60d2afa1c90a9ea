import { useState } from 'react'
import { toast } from 'sonner'
import type { Step } from '#contract/step.ts'
import { UNDO_MS } from '#web/lib/undo-ms.ts'
import type { Playhead } from './playhead.ts'
import { mergeSteps, splitStep } from './reshape-steps.ts'
import { applyChange, moveByOne, moveTo, type StepChange } from './step-change.ts'
import { editStep } from './step-draft.ts'
import type { StepDrafts } from './step-drafts.ts'
import { moveButtonId } from './step-tools.tsx'
import { editButtonId } from './use-focus-request.ts'

interface ListActionsOptions {
  steps: readonly Step[]
  drafts: StepDrafts
  playhead: Playhead
  apply: (change: StepChange) => Promise<boolean>
  open: (step: Step) => void
  /** Closes a step's form, and waits for its closed form to take the focus. */
  leave: (id: string) => void
  requestFocus: (elementId: string) => void
}

/** What can be done to a list: move, split, merge, delete, each with the focus where the person goes on. */
export function useListActions({ steps, drafts, playhead, apply, open, leave, requestFocus }: ListActionsOptions) {
  const [announcement, setAnnouncement] = useState('')
  const find = (id: string) => steps.findIndex((step) => step.id === id)

  function moveBy(id: string, by: -1 | 1) {
    const change = moveByOne(steps, id, by)
    if (change === null) return
    const place = applyChange(steps, change).findIndex((step) => step.id === id)
    setAnnouncement(`Moved to position ${place + 1} of ${steps.length}.`)
    requestFocus(moveButtonId(id, by))
    void apply(change)
  }

  function reorder(id: string, index: number) {
    void apply(moveTo(steps, id, index))
  }

  function split(id: string) {
    const step = readStep(steps, drafts, id)
    if (step === undefined) return
    const halves = splitStep(step, playhead.readTimeS() ?? -1, crypto.randomUUID())
    if ('problem' in halves) return void toast(halves.problem)
    const [, second] = halves
    drafts.discard(id)
    void apply({ kind: 'replace', ids: [id], by: halves }).then((isSplit) => {
      if (isSplit) return
      drafts.discard(second.id)
      leave(second.id)
    })
    open(second)
    setAnnouncement('Split in two. This is the second half.')
  }

  function merge(id: string) {
    const step = readStep(steps, drafts, id)
    const next = steps[find(id) + 1]
    if (step === undefined || next === undefined) return
    const merged = mergeSteps(step, next)
    if ('problem' in merged) return void toast(merged.problem)
    drafts.discard(id, next.id)
    leave(id)
    const saved = apply({ kind: 'replace', ids: [id, next.id], by: [merged] })
    const undo: StepChange = { kind: 'replace', ids: [id], by: [step, next] }
    offerUndo({ done: 'Steps merged', saved, undo: () => apply(undo) })
  }

  function remove(id: string) {
    const index = find(id)
    const step = steps[index]
    if (step === undefined) return
    drafts.discard(id)
    leave(id)
    requestFocus(editButtonId((steps[index + 1] ?? steps[index - 1])?.id ?? ''))
    const saved = apply({ kind: 'replace', ids: [id], by: [] })
    const undo: StepChange = { kind: 'insert', steps: [step], afterId: steps[index - 1]?.id ?? null }
    offerUndo({ done: 'Step deleted', saved, undo: () => apply(undo) })
  }

  return { announcement, moveBy, reorder, split, merge, remove }
}

/** The step as its form shows it, which may be ahead of the list. */
function readStep(steps: readonly Step[], drafts: StepDrafts, id: string): Step | undefined {
  const step = steps.find((one) => one.id === id)
  const entry = drafts.get(id)
  return step && entry ? editStep(step, entry.draft) : step
}

interface UndoOffer {
  done: string
  /** Whether it was saved. A failure shows its own message, and leaves nothing to undo. */
  saved: Promise<boolean>
  undo: () => Promise<boolean>
}

/** Says what has been done, with a button that takes it back. */
export function offerUndo({ done, saved, undo }: UndoOffer): void {
  const toastId = toast(done, { duration: UNDO_MS, action: { label: 'Undo', onClick: () => void undo() } })
  void saved.then((isSaved) => !isSaved && toast.dismiss(toastId))
}
