import { Button } from '#web/ui/button.tsx'
import type { Playhead } from './playhead.ts'
import { type DraftEntry, isUnsaved } from './step-drafts.ts'
import { StepEditor } from './step-editor.tsx'
import { StepTools } from './step-tools.tsx'
import type { LocalEditing } from './use-local-editing.ts'

interface LocalStepEditorProps {
  moduleId: string
  entry: DraftEntry
  number: number
  /** Grows with every save that was refused; problems are shown from the first one on. */
  refusals: number
  playhead: Playhead
  editing: LocalEditing
}

/** Edits one step of a list that is saved as a whole. */
export function LocalStepEditor({ moduleId, entry, number, refusals, playhead, editing }: LocalStepEditorProps) {
  const { id } = entry.base
  return (
    <StepEditor
      moduleId={moduleId}
      stepId={id}
      number={number}
      draft={entry.draft}
      problems={refusals > 0 ? (editing.problems.get(id) ?? {}) : {}}
      refusals={refusals}
      playhead={playhead}
      onChange={(change) => editing.drafts.change(id, change)}
      onSubmit={editing.close}
      onClose={editing.close}
      actions={
        <>
          <Button type="submit" variant="secondary">
            Done
          </Button>
          {isUnsaved(entry) && (
            <Button variant="ghost" onClick={() => editing.discard(id)}>
              Discard changes
            </Button>
          )}
        </>
      }
      tools={
        <StepTools
          stepId={id}
          title={entry.draft.title}
          isFirst={number === 1}
          isLast={number === editing.steps.length}
          playhead={playhead}
          onMove={(by) => editing.moveBy(id, by)}
          onSplit={() => editing.split(id)}
          onMerge={() => editing.merge(id)}
          onDelete={() => editing.remove(id)}
        />
      }
    />
  )
}
