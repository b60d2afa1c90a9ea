import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { NEW_STEP_LENGTH_S } from '#contract/limits.ts'
import type { StepsAnswer } from '#contract/step.ts'
import { MoreToCome } from '#web/features/step/more-to-come.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { LocalStepEditor } from '#web/features/step-editor/local-step-editor.tsx'
import { RowActions } from '#web/features/step-editor/row-actions.tsx'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import { offerUndo } from '#web/features/step-editor/use-list-actions.ts'
import { useLocalEditing } from '#web/features/step-editor/use-local-editing.ts'
import type { StepSaves } from '#web/features/step-editor/use-step-saves.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { EditStepsLayout } from './edit-steps-layout.tsx'
import { EditStepsToolbar } from './edit-steps-toolbar.tsx'
import { NoStepsToEdit } from './no-steps-to-edit.tsx'
import { StepRows } from './step-rows.tsx'
import { TrainingVideo } from './training-video.tsx'
import { useModuleSaves } from './use-module-saves.ts'
import { useTrainingVideo } from './use-training-video.ts'

interface EditStepsWorkspaceProps {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
}

/** Everything stays on this page until Save Changes sends it. */
export function EditStepsWorkspace({ module, query }: EditStepsWorkspaceProps) {
  const saves = useModuleSaves(module.id, query)
  const { player, videoPlace, playhead, currentId, jumpTo, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: saves.steps,
  })
  const editing = useLocalEditing({ saves, playhead, durationS: module.totalDuration })
  const { steps, problems, entries } = editing
  const { refusals, isLeaving, save } = useSaveAll(editing)
  const isGrowing = module.status === 'PROCESSING'

  return (
    <EditStepsLayout
      moduleId={module.id}
      title={module.title}
      video={
        <div ref={videoPlace} className="scroll-mt-20">
          <TrainingVideo ref={player} module={module} steps={saves.steps} onTimeChange={onTimeChange} />
        </div>
      }
      toolbar={
        <EditStepsToolbar
          stepCount={steps.length}
          errorCount={refusals > 0 ? countAll(problems.values()) : 0}
          isSaving={saves.isSaving}
          hasUnsaved={editing.hasUnsaved}
          onAdd={() => editing.add(chooseTimes(playhead.readTimeS() ?? steps.at(-1)?.end ?? 0, module.totalDuration))}
          onSave={save}
          onDeleteAll={() => deleteAll(saves, editing.forget)}
        />
      }
    >
      {steps.length === 0 && <NoStepsToEdit query={query} isGrowing={isGrowing} />}
      <StepRows
        editing={editing}
        currentId={currentId}
        onJump={jumpTo}
        errorCountOf={(step) => (refusals > 0 ? countAll([problems.get(step.id) ?? {}]) : 0)}
        renderActions={(step, number) => (
          <RowActions
            {...{ step, number }}
            count={steps.length}
            onMove={(by) => editing.moveBy(step.id, by)}
            onDelete={() => editing.remove(step.id)}
          />
        )}
        renderEditor={(step, number) => {
          const entry = entries.get(step.id)
          return (
            entry && (
              <LocalStepEditor key={step.id} moduleId={module.id} {...{ entry, number, refusals, playhead, editing }} />
            )
          )
        }}
      />
      {isGrowing && steps.length > 0 && <MoreToCome />}
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
      <UnsavedGuard isUnsaved={!isLeaving && (editing.hasUnsaved || saves.isSaving)} />
    </EditStepsLayout>
  )
}

/** Saves when nothing is wrong and leaves for the dashboard; otherwise opens the first step that is wrong. */
function useSaveAll({ steps, problems, open, save }: ReturnType<typeof useLocalEditing>) {
  const navigate = useNavigate()
  const [refusals, setRefusals] = useState(0)
  const [isLeaving, setIsLeaving] = useState(false)
  useEffect(() => {
    // Only after the guard has received that nothing is unsaved any more.
    if (isLeaving) void navigate('/dashboard')
  }, [isLeaving, navigate])

  async function saveAll() {
    const wrong = steps.find((step) => problems.has(step.id))
    if (wrong === undefined) return setIsLeaving((await save()) === 'saved')
    setRefusals(refusals + 1)
    open(wrong)
  }
  return { refusals, isLeaving, save: saveAll }
}

function chooseTimes(start: number, durationS: number | null): { start: number; end: number } {
  return { start, end: Math.max(start, Math.min(start + NEW_STEP_LENGTH_S, durationS ?? Number.POSITIVE_INFINITY)) }
}

function countAll(problems: Iterable<object>): number {
  return [...problems].reduce((sum, found) => sum + Object.keys(found).length, 0)
}

/** At once, as it was confirmed; for a moment it can be taken back. */
function deleteAll(saves: StepSaves, forget: () => void): void {
  const { steps } = saves.read()
  const push = async (change: Parameters<StepSaves['push']>[0]['change']) =>
    (await saves.push({ change })).kind === 'saved'
  const saved = push({ kind: 'clear' })
  void saved.then((isSaved) => isSaved && forget())
  offerUndo({ done: 'All steps deleted', saved, undo: () => push({ kind: 'insert', steps, afterId: null }) })
}
