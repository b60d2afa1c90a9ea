import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { useStore } from '#web/lib/use-store.ts'
import { showUndo } from '#web/ui/toast.tsx'
import type { Playhead } from './playhead.ts'
import { mergeSteps, splitStep } from './reshape-steps.ts'
import { applyChange, applyChanges, listChapter, moveByOne, moveTo, type StepChange } from './step-change.ts'
import { editStep, isSameStep, isUnsaved, StepDrafts } from './step-drafts.ts'
import type { StepSaves } from './use-step-saves.ts'

export interface EditingOptions {
  saves: StepSaves
  playhead: Playhead
  /** Length of the video; null while it is not known. */
  durationS: number | null
}

interface StepEditingOptions extends Pick<EditingOptions, 'saves' | 'playhead'> {
  /** Changes that wait on this page; none where each is saved at once. */
  held: readonly StepChange[]
  /** Makes a change, here or on the server. @returns whether it stays */
  apply: (change: StepChange) => Promise<boolean>
}

/** What a person does on a list of steps, wherever it is kept: open one and type, or change the list. */
export function useStepEditing({ saves, playhead, held, apply }: StepEditingOptions) {
  const [drafts] = useState(() => new StepDrafts())
  const entries = useStore(drafts.store)
  const [openId, setOpenId] = useState<string | null>(null)
  const requestFocus = useFocusRequest()
  const listed = applyChanges(saves.steps, held)
  const opened = openId === null ? undefined : entries.get(openId)?.base
  // A run may remove a step while a person edits it; its form stays.
  const isGone = opened !== undefined && !listed.some((step) => step.id === opened.id)
  const steps = isGone ? applyChange(listed, { kind: 'replace', ids: [opened.id], by: [opened] }) : listed

  useFollowingDrafts(drafts, saves, listed)

  function forgetUnchanged(id: string | null) {
    const entry = id === null ? undefined : drafts.get(id)
    if (entry !== undefined && !isUnsaved(entry)) drafts.discard(entry.base.id)
  }

  function open(step: Step) {
    forgetUnchanged(openId)
    drafts.begin(step, saves.known.version)
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
  const chapters = useChapterActions({ steps, apply, requestFocus })
  const hasUnsaved = held.length > 0 || drafts.listUnsaved().length > 0
  return { steps, drafts, entries, openId, hasUnsaved, open, close, discard, ...actions, ...chapters }
}

export type StepEditing = ReturnType<typeof useStepEditing>

/**
 * What the pipeline improves while a form is open appears in its fields, except in those that have been edited. A
 * step that is being saved, or is changed on this page only, is left alone.
 */
function useFollowingDrafts(
  drafts: StepDrafts,
  { known: knownSteps, isForeignSince }: StepSaves,
  listed: readonly Step[],
): void {
  const follow = useEffectEvent(() => {
    for (const entry of drafts.getAll().values()) {
      const stored = knownSteps.steps.find((step) => step.id === entry.base.id)
      const displayed = listed.find((step) => step.id === entry.base.id)
      if (stored === undefined || displayed === undefined || !isSameStep(stored, displayed)) continue
      const mayFollow = !isUnsaved(entry) || !isForeignSince(entry.seenVersion)
      if (mayFollow && !isSameStep(stored, entry.base)) drafts.rebase(stored, knownSteps.version)
    }
  })
  useEffect(() => follow(), [knownSteps])
}

interface ListActionsOptions extends Pick<StepEditingOptions, 'playhead' | 'apply'> {
  steps: readonly Step[]
  drafts: StepDrafts
  open: (step: Step) => void
  /** Closes a step's form, and waits for its closed form to take the focus. */
  leave: (id: string) => void
  requestFocus: (elementId: string) => void
}

/** What can be done to a list: move, split, merge, delete, each with the focus where the person goes on. */
function useListActions({ steps, drafts, playhead, apply, open, leave, requestFocus }: ListActionsOptions) {
  const [announcement, setAnnouncement] = useState('')
  const find = (id: string) => steps.findIndex((step) => step.id === id)

  /** The step as its form shows it, which may be ahead of the list. */
  function readStep(id: string): Step | undefined {
    const step = steps[find(id)]
    const entry = drafts.get(id)
    return step && entry ? editStep(step, entry.draft) : step
  }
  function moveBy(id: string, by: -1 | 1) {
    const change = moveByOne(steps, id, by)
    if (change === null) return
    const place = applyChange(steps, change).findIndex((step) => step.id === id)
    setAnnouncement(m.moved_to_position_place_of({ place: place + 1, length: steps.length }))
    requestFocus(moveButtonId(id, by))
    void apply(change)
  }

  function reorder(id: string, index: number) {
    void apply(moveTo(steps, id, index))
  }

  function split(id: string) {
    const step = readStep(id)
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
    setAnnouncement(m.split_in_two_this_is())
  }

  function merge(id: string) {
    const step = readStep(id)
    const next = steps[find(id) + 1]
    if (step === undefined || next === undefined) return
    const merged = mergeSteps(step, next)
    if ('problem' in merged) return void toast(merged.problem)
    drafts.discard(id, next.id)
    leave(id)
    const saved = apply({ kind: 'replace', ids: [id, next.id], by: [merged] })
    const undo: StepChange = { kind: 'replace', ids: [id], by: [step, next] }
    offerUndo({ done: m.steps_merged(), saved, undo: () => apply(undo) })
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
    offerUndo({ done: m.step_deleted(), saved, undo: () => apply(undo) })
  }

  return { announcement, moveBy, reorder, split, merge, remove }
}

/** What can be done to the headings over the steps. A chapter is named by the step that it begins with. */
function useChapterActions({
  steps,
  apply,
  requestFocus,
}: Pick<ListActionsOptions, 'steps' | 'apply' | 'requestFocus'>) {
  /** The step whose chapter is being named. */
  const [namedId, setNamedId] = useState<string | null>(null)

  /** Begins a chapter with a step, or names the one that does, once a title is given; null gives up. */
  function nameChapter(id: string, title?: string | null) {
    setNamedId(title === undefined ? id : null)
    if (title === undefined) return
    const index = steps.findIndex((step) => step.id === id)
    const before = steps[index]?.chapter ?? null
    const ids = listChapter(steps, id)
    const isRenamed = title !== null && title !== before
    // Under the title of the chapter before it, its heading goes.
    const isUnderOther = isRenamed && title === steps[index - 1]?.chapter
    requestFocus(isUnderOther ? editButtonId(id) : chapterButtonId(id))
    if (!isRenamed) return
    const saved = apply({ kind: 'chapter', ids, title })
    if (!isUnderOther && title !== steps[index + ids.length]?.chapter) return
    offerUndo({ done: m.chapters_merged(), saved, undo: () => apply({ kind: 'chapter', ids, title: before }) })
  }

  /** Its steps come under the heading before it. */
  function removeHeading(id: string) {
    const index = steps.findIndex((step) => step.id === id)
    const title = steps[index]?.chapter
    if (title === undefined) return
    const ids = listChapter(steps, id)
    requestFocus(editButtonId(id))
    const saved = apply({ kind: 'chapter', ids, title: steps[index - 1]?.chapter ?? null })
    offerUndo({ done: m.heading_removed(), saved, undo: () => apply({ kind: 'chapter', ids, title }) })
  }
  return { namedId, nameChapter, removeHeading }
}

interface UndoOffer {
  done: string
  /** Whether it was saved. A failure shows its own message, and leaves nothing to undo. */
  saved: Promise<boolean>
  undo: () => Promise<boolean>
}

/** Announces the change, with a button to undo it. */
export function offerUndo({ done, saved, undo }: UndoOffer): void {
  const toastId = showUndo(done, () => void undo())
  void saved.then((isSaved) => !isSaved && toast.dismiss(toastId))
}

/**
 * Gives the focus to an element that may only be there after the next draw: what had it has been moved, replaced or
 * removed.
 */
function useFocusRequest(): (elementId: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    document.getElementById(wanted.current)?.focus()
    // Later, it would take the focus from where the person is by then.
    wanted.current = null
  })
  return (elementId) => {
    wanted.current = elementId
  }
}

export function moveButtonId(stepId: string, by: -1 | 1): string {
  return `move-${by === -1 ? 'up' : 'down'}-${stepId}`
}

/** Of the button that names a chapter: over its first step, or in the form of one that may begin another. */
export function chapterButtonId(stepId: string): string {
  return `chapter-${stepId}`
}

export function editButtonId(stepId: string): string {
  return `edit-${stepId}`
}
