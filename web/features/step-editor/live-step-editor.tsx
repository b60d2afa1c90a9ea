import { useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import type { Step } from '#contract/step.ts'
import { Button } from '#web/ui/button.tsx'
import { countErrors, SaveStatus, useAutoSave } from './auto-save.tsx'
import type { Playhead } from './playhead.ts'
import type { SaveOutcome } from './save-queue.ts'
import { type DraftEntry, editStep, findProblems, isUnsaved } from './step-drafts.ts'
import { StepEditor } from './step-editor.tsx'
import { StepTools, type StepToolsProps } from './step-tools.tsx'
import { useStepEditing } from './use-step-editing.ts'
import type { StepSaves } from './use-step-saves.ts'

interface LiveStepEditorProps {
  moduleId: string
  entry: DraftEntry
  number: number
  count: number
  durationS: number | null
  playhead: Playhead
  editing: LiveEditing
}

/** Edits one step beside its video; changes are saved automatically. */
export function LiveStepEditor({ entry, number, count, durationS, playhead, editing, moduleId }: LiveStepEditorProps) {
  const { id } = entry.base
  const problems = findProblems(entry, durationS)
  const problemCount = Object.keys(problems).length
  const [refusals, setRefusals] = useState(0)
  const { state, saveNow } = useAutoSave({
    entry,
    isValid: () => isValid(editing.drafts.get(id), durationS),
    save: () => editing.saveDraft(id),
    readEntry: () => editing.drafts.get(id),
  })
  useSaveOnClose(saveNow)
  const isChecked = refusals > 0 || state === 'unsaved'

  /** Whether the step stands as it is shown, so that it can be closed, split or merged. */
  async function settle(): Promise<boolean> {
    if (problemCount > 0) setRefusals(refusals + 1)
    return (await saveNow()) && problemCount === 0
  }
  async function settleThen(act: () => unknown) {
    if (await settle()) act()
  }
  const tools: StepToolsProps = {
    stepId: id,
    title: entry.draft.title,
    isFirst: number === 1,
    isLast: number === count,
    playhead,
    onMove: (by) => editing.moveBy(id, by),
    onSplit: () => settleThen(() => editing.split(id)),
    onMerge: () => settleThen(() => editing.merge(id)),
    onDelete: () => editing.remove(id),
  }
  return (
    <StepEditor
      moduleId={moduleId}
      stepId={id}
      number={number}
      draft={entry.draft}
      problems={isChecked ? problems : {}}
      refusals={refusals}
      playhead={playhead}
      status={<SaveStatus state={state} problemCount={problemCount} />}
      onChange={(change) => editing.drafts.change(id, change)}
      onSubmit={() => settleThen(editing.close)}
      onClose={editing.close}
      actions={
        <>
          <Button type="submit">
            {isChecked && problemCount > 0 ? `Save (${countErrors(problemCount)})` : 'Save'}
          </Button>
          {(state === 'unsaved' || state === 'error') && isUnsaved(entry) && (
            <Button variant="secondary" onClick={() => editing.discard(id)}>
              Discard changes
            </Button>
          )}
        </>
      }
      tools={<StepTools {...tools} />}
    />
  )
}

/** However the editor goes, the last second of typing is not lost with it. */
function useSaveOnClose(saveNow: () => Promise<boolean>): void {
  const latest = useRef(saveNow)
  useEffect(() => {
    latest.current = saveNow
  })
  useEffect(() => () => void latest.current(), [])
}

function isValid(entry: DraftEntry | undefined, durationS: number | null): boolean {
  return entry !== undefined && Object.keys(findProblems(entry, durationS)).length === 0
}

interface LiveEditingOptions {
  saves: StepSaves
  playhead: Playhead
  durationS: number | null
}

/** Edits steps beside the video; every change is saved automatically. */
export function useLiveEditing({ saves, playhead, durationS }: LiveEditingOptions) {
  const editing = useStepEditing({
    steps: saves.steps,
    known: saves.known,
    isForeignSince: saves.isForeignSince,
    playhead,
    apply: async (change) => (await saves.push({ change })).kind === 'saved',
  })
  const { drafts, openId } = editing

  async function saveDraft(id: string): Promise<SaveOutcome['kind']> {
    const entry = drafts.get(id)
    if (entry === undefined) return 'saved'
    const { base, seenVersion } = entry
    const step = editStep(base, entry.draft)
    const outcome = await saves.push({ change: { kind: 'replace', ids: [id], by: [step] }, base, seenVersion })
    if (outcome.kind === 'saved') drafts.settle(step, outcome.version)
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
    const unsaved = [...drafts.getAll()].filter(([, entry]) => isUnsaved(entry))
    const valid = unsaved.filter(([, entry]) => Object.keys(findProblems(entry, durationS)).length === 0)
    const outcomes = await Promise.all(valid.map(([id]) => saveDraft(id)))
    return valid.length === unsaved.length && outcomes.every((outcome) => outcome === 'saved' || outcome === 'dropped')
  }

  /** @returns whether the step stays */
  async function add(step: Step): Promise<boolean> {
    const isSaved = (await saves.push({ change: { kind: 'insert', steps: [step] } })).kind === 'saved'
    if (isSaved) toast.success('Step added')
    return isSaved
  }

  return { ...editing, openEntry: openId === null ? undefined : drafts.get(openId), saveDraft, saveAll, add }
}

type LiveEditing = ReturnType<typeof useLiveEditing>
