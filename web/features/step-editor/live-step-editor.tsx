import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from 'sonner'
import type { Step } from '#contract/step.ts'
import { findEarlyProblems } from '#contract/step-editing.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { countErrors, SaveStatus, useAutoSave } from './auto-save.tsx'
import type { SaveOutcome } from './save-queue.ts'
import { type DraftEntry, findProblems, isUnsaved, readDraft, toChange } from './step-drafts.ts'
import { StepEditor, type StepEditorProps } from './step-editor.tsx'
import { type EditingOptions, useStepEditing } from './use-step-editing.ts'

interface LiveStepEditorProps
  extends Pick<StepEditorProps, 'moduleId' | 'posterUrl' | 'entry' | 'number' | 'playhead'> {
  durationS: number | null
  editing: LiveEditing
}

/** Edits one step beside its video; changes are saved automatically. */
export function LiveStepEditor({ durationS, editing, ...editor }: LiveStepEditorProps) {
  const { entry } = editor
  const { id } = entry.base
  const problems = findProblems(entry, durationS)
  const problemCount = Object.keys(problems).length
  const [refusals, setRefusals] = useState(0)
  const { state, saveNow } = useAutoSave({
    entry,
    isValid: (now) => isValid(now, durationS),
    save: () => editing.saveDraft(id),
    readEntry: () => editing.drafts.get(id),
  })
  // However the editor goes, the last second of typing is not lost with it.
  const saveLast = useEffectEvent(() => void saveNow())
  useEffect(() => () => saveLast(), [])
  const isChecked = refusals > 0 || state === 'unsaved'

  /** Whether the step stands as it is shown, so that it can be closed, split or merged. */
  async function settle(): Promise<boolean> {
    if (problemCount > 0) setRefusals(refusals + 1)
    return (await saveNow()) && problemCount === 0
  }
  async function settleThen(act: () => unknown) {
    if (await settle()) act()
  }
  return (
    <StepEditor
      {...editor}
      {...{ refusals, editing }}
      problems={isChecked ? problems : findEarlyProblems(readDraft(entry.draft, entry.base), durationS)}
      status={<SaveStatus state={state} problemCount={problemCount} />}
      onSubmit={() => settleThen(editing.close)}
      reshape={settleThen}
      actions={
        <>
          <Button type="submit">
            {isChecked && problemCount > 0 ? m.save_counterrors({ countErrors: countErrors(problemCount) }) : m.save()}
          </Button>
          {(state === 'unsaved' || state === 'error') && isUnsaved(entry) && (
            <Button variant="secondary" onClick={() => editing.discard(id)}>
              {m.discard_changes()}
            </Button>
          )}
        </>
      }
    />
  )
}

function isValid(entry: DraftEntry, durationS: number | null): boolean {
  return Object.keys(findProblems(entry, durationS)).length === 0
}

export function useLiveEditing({ saves, playhead, durationS }: EditingOptions) {
  const editing = useStepEditing({ saves, playhead, held: [], apply: saves.save })
  const { drafts } = editing

  async function saveDraft(id: string): Promise<SaveOutcome['kind']> {
    const entry = drafts.get(id)
    if (entry === undefined) return 'saved'
    const { base, seenVersion } = entry
    const change = toChange(entry)
    const outcome = await saves.push({ change, base, seenVersion })
    if (outcome.kind === 'saved') drafts.settle(change.by[0], outcome.version)
    if (outcome.kind === 'dropped') takeTheirs(id)
    return outcome.kind
  }

  function takeTheirs(id: string) {
    drafts.discard(id)
    const { steps, version } = saves.read()
    const theirs = steps.find((step) => step.id === id)
    if (theirs !== undefined) drafts.begin(theirs, version)
  }

  /** @returns whether nothing is left to save */
  async function saveAll(): Promise<boolean> {
    const unsaved = drafts.listUnsaved()
    const valid = unsaved.filter((entry) => isValid(entry, durationS))
    const outcomes = await Promise.all(valid.map(({ base }) => saveDraft(base.id)))
    return valid.length === unsaved.length && outcomes.every((outcome) => outcome === 'saved' || outcome === 'dropped')
  }

  /** @returns whether the step stays */
  async function add(step: Step): Promise<boolean> {
    const isSaved = await saves.save({ kind: 'insert', steps: [step] })
    if (isSaved) toast.success(m.step_added())
    return isSaved
  }

  return { ...editing, saveDraft, saveAll, add }
}

type LiveEditing = ReturnType<typeof useLiveEditing>
