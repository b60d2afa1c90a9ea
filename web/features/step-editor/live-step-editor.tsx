import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { Playhead } from './playhead.ts'
import { countErrors, SaveStatus } from './save-status.tsx'
import { type DraftEntry, findProblems, isUnsaved } from './step-drafts.ts'
import { StepEditor } from './step-editor.tsx'
import { StepTools, type StepToolsProps } from './step-tools.tsx'
import { useAutoSave } from './use-auto-save.ts'
import type { LiveEditing } from './use-live-editing.ts'

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
