import { useState } from 'react'
import { findEarlyProblems, type StepProblems, TIME_FORMAT_PROBLEM } from '#contract/step-editing.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import type { SaveOutcome } from './save-queue.ts'
import { makeManualStep, newStepTimes, type StepChange } from './step-change.ts'
import {
  type DraftEntry,
  draftOf,
  editStep,
  findProblems,
  isSameStep,
  isUnsaved,
  readDraft,
  toChange,
} from './step-drafts.ts'
import { StepEditor, type StepEditorProps } from './step-editor.tsx'
import { type EditingOptions, useStepEditing } from './use-step-editing.ts'

interface LocalStepEditorProps
  extends Pick<StepEditorProps, 'moduleId' | 'posterUrl' | 'entry' | 'number' | 'refusals' | 'playhead'> {
  editing: LocalEditing
}

/** Edits one step of a list that is saved as a whole. */
export function LocalStepEditor({ editing, ...editor }: LocalStepEditorProps) {
  const { entry, refusals } = editor
  const { id } = entry.base
  return (
    <StepEditor
      {...editor}
      editing={editing}
      // Shown from the first save on that was refused; what stays wrong however much is typed, at once.
      problems={refusals > 0 ? (editing.problems.get(id) ?? {}) : editing.findEarly(entry)}
      onSubmit={() => editing.finish(id)}
      reshape={(change) => change()}
      actions={
        <>
          <Button type="submit" variant="secondary">
            {m.done_state()}
          </Button>
          {isUnsaved(entry) && (
            <Button variant="ghost" onClick={() => editing.discard(id)}>
              {m.discard_changes()}
            </Button>
          )}
        </>
      }
    />
  )
}

interface Kept {
  changes: readonly StepChange[]
  /** Version of the steps when the first change was made. */
  seenVersion: number
}

const NOTHING: Kept = { changes: [], seenVersion: Number.POSITIVE_INFINITY }

/** Editing of a whole list at once: everything stays here until it is saved together. */
export function useLocalEditing({ saves, playhead, durationS }: EditingOptions) {
  const [storedEdits, setStoredEdits] = useState(NOTHING)
  const editing = useStepEditing({ saves, playhead, held: storedEdits.changes, apply: keep })
  const { drafts, entries, steps } = editing
  const problems = findAllProblems()

  /** Steps that are unchanged on this page are not checked. */
  function findAllProblems(): ReadonlyMap<string, StepProblems> {
    const before = new Map(saves.steps.map((step) => [step.id, step]))
    const found = new Map<string, StepProblems>()
    for (const step of steps) {
      const old = before.get(step.id)
      const entry = entries.get(step.id) ?? { draft: draftOf(step), base: step, seenVersion: 0 }
      if (old !== undefined && isSameStep(step, old) && !isUnsaved(entry)) continue
      const wrong = { ...findProblems(entry, durationS), ...findFormatProblems(entry) }
      if (Object.keys(wrong).length > 0) found.set(step.id, wrong)
    }
    return found
  }

  function keep(change: StepChange): Promise<true> {
    setStoredEdits(({ changes, seenVersion }) => ({
      changes: [...changes, change],
      seenVersion: Math.min(seenVersion, saves.known.version),
    }))
    return Promise.resolve(true)
  }

  /** Puts a new step in its place in time and opens it. */
  function add() {
    // Whole seconds, as the form for missing steps has them.
    const startS = Math.floor(playhead.readTimeS() ?? steps.at(-1)?.end ?? 0)
    const step = makeManualStep(newStepTimes(startS, durationS))
    void keep({ kind: 'insert', steps: [step] })
    editing.open(step)
  }

  /** Closes a form. A new step that has nothing to be corrected goes to its place. */
  function finish(id: string) {
    const entry = drafts.get(id)
    if (entry !== undefined && isPlacedByTime(id, storedEdits.changes) && !problems.has(id)) {
      drafts.discard(id)
      void keep(toPlacedChange(entry, storedEdits.changes))
    }
    editing.close()
  }

  function forget() {
    drafts.discardAll()
    setStoredEdits(NOTHING)
  }

  async function save(): Promise<SaveOutcome['kind']> {
    const unsaved = drafts.listUnsaved()
    const changes = [...storedEdits.changes, ...unsaved.map((entry) => toPlacedChange(entry, storedEdits.changes))]
    if (changes.length === 0) return 'saved'
    const seenVersion = Math.min(storedEdits.seenVersion, ...unsaved.map((entry) => entry.seenVersion))
    const outcome = await saves.push({ change: { kind: 'batch', changes }, seenVersion })
    if (outcome.kind === 'saved' || outcome.kind === 'dropped') forget()
    return outcome.kind
  }

  const findEarly = ({ draft, base }: DraftEntry) => findEarlyProblems(readDraft(draft, base), durationS)

  return { ...editing, problems, findEarly, add, finish, save, forget }
}

type LocalEditing = ReturnType<typeof useLocalEditing>

/** An edited step stays where it is; one that was added here goes to its place in time, as on the training page. */
function toPlacedChange(entry: DraftEntry, changes: readonly StepChange[]): StepChange {
  const { base, draft } = entry
  return isPlacedByTime(base.id, changes) ? { kind: 'insert', steps: [editStep(base, draft)] } : toChange(entry)
}

/** Whether a step was added by these changes, and by none of them moved by hand. */
function isPlacedByTime(id: string, changes: readonly StepChange[]): boolean {
  const isAdded = changes.some(
    (change) => change.kind === 'insert' && change.afterId === undefined && change.steps.some((step) => step.id === id),
  )
  return isAdded && !changes.some((change) => change.kind === 'move' && change.id === id)
}

/** A time before the video is no `mm:ss` here, which comes before what is wrong with its value. */
function findFormatProblems({ draft }: DraftEntry): StepProblems {
  return {
    ...(draft.start.trim().startsWith('-') && { start: TIME_FORMAT_PROBLEM }),
    ...(draft.end.trim().startsWith('-') && { end: TIME_FORMAT_PROBLEM }),
  }
}
