import type { UseQueryResult } from '@tanstack/react-query'
import { SquarePen } from 'lucide-react'
import { useLocation } from 'react-router-dom'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { LiveStepEditor } from '#web/features/step-editor/live-step-editor.tsx'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { UnsavedGuard } from '#web/features/step-editor/unsaved-guard.tsx'
import { useLiveEditing } from '#web/features/step-editor/use-live-editing.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { editStepsPath } from '../paths.ts'
import { StepRows } from './step-rows.tsx'
import { useModuleSaves } from './use-module-saves.ts'
import { useReloadModule } from './use-reload-module.ts'

interface EditableStepsProps {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
  playhead: Playhead
  currentId: string | null
  onJump: (step: Step) => void
}

/** The steps as their owner has them: each opens where it stands, and what is changed is saved by itself. */
export function EditableSteps({ module, query, playhead, currentId, onJump }: EditableStepsProps) {
  const saves = useModuleSaves(module.id, query)
  const durationS = module.totalDuration
  const editing = useLiveEditing({ saves, playhead, durationS })
  const { steps, openEntry } = editing
  const reloadModule = useReloadModule(module.id)
  const isGrowing = module.status === 'PROCESSING'
  useStepHash(query.data !== undefined && steps.length > 0, useLocation().hash, (index) => {
    const step = steps[index]
    if (step !== undefined) editing.open(step)
  })

  async function add(step: Step): Promise<boolean> {
    const isAdded = await editing.add(step)
    // A module that could not be processed becomes READY with its first step.
    if (isAdded && module.status === 'FAILED') await reloadModule()
    return isAdded
  }
  return (
    <>
      {(!isGrowing || steps.length > 0) && (
        <StepPanel query={query} count={steps.length} isGrowing={isGrowing} action={<EditAllLink id={module.id} />}>
          <StepRows
            editing={editing}
            currentId={currentId}
            onJump={onJump}
            renderEditor={(_step, number) =>
              openEntry && (
                <LiveStepEditor
                  key={openEntry.base.id}
                  moduleId={module.id}
                  entry={openEntry}
                  number={number}
                  count={steps.length}
                  {...{ durationS, playhead, editing }}
                />
              )
            }
          />
        </StepPanel>
      )}
      <AddStepForm playhead={playhead} durationS={durationS} onAdd={add} />
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
      <UnsavedGuard isUnsaved={editing.hasUnsaved || saves.isSaving} onLeave={editing.saveAll} />
    </>
  )
}

function EditAllLink({ id }: { id: string }) {
  return (
    <ButtonLink to={editStepsPath(id)} variant="ghost" size="small" className="-mr-2">
      <SquarePen aria-hidden="true" className="size-4" />
      Edit all steps
    </ButtonLink>
  )
}
