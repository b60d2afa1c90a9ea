import type { UseQueryResult } from '@tanstack/react-query'
import { SquarePen } from 'lucide-react'
import { useLocation } from 'react-router-dom'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import { LiveStepEditor, useLiveEditing } from '#web/features/step-editor/live-step-editor.tsx'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { editStepsPath } from '../paths.ts'
import { StepRows } from './step-rows.tsx'
import { useModuleSaves, useReloadModule } from './use-training-updates.ts'

interface OwnedStepsOptions {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
  playhead: Playhead
}

/** The steps of a training as their owner changes them, wherever on its page: all changes go one way to the server. */
export function useOwnedSteps({ module, query, playhead }: OwnedStepsOptions) {
  const saves = useModuleSaves(module.id, query)
  const editing = useLiveEditing({ saves, playhead, durationS: module.totalDuration })
  const reloadModule = useReloadModule(module.id)

  async function add(step: Step): Promise<boolean> {
    const isAdded = await editing.add(step)
    // A module that could not be processed becomes READY with its first step.
    if (isAdded && module.status === 'FAILED') await reloadModule()
    return isAdded
  }

  /** Changes a step as it is by now. @returns whether it stays so */
  async function editStep(id: string, edit: (step: Step) => Step): Promise<boolean> {
    const step = saves.steps.find((one) => one.id === id)
    if (step === undefined) return false
    return saves.save({ kind: 'replace', ids: [id], by: [edit(step)] })
  }
  return { saves, editing, add, editStep }
}

export type OwnedSteps = ReturnType<typeof useOwnedSteps>

interface EditableStepsProps {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
  playhead: Playhead
  owned: OwnedSteps
  currentId: string | null
  onJump: (step: Step) => void
}

/** The steps as their owner has them: each opens where it stands, and what is changed is saved by itself. */
export function EditableSteps({ module, query, playhead, owned, currentId, onJump }: EditableStepsProps) {
  const { saves, editing, add } = owned
  const durationS = module.totalDuration
  const { steps } = editing
  const isGrowing = module.status === 'PROCESSING'
  useStepHash(query.data !== undefined && steps.length > 0, useLocation().hash, (index) => {
    const step = steps[index]
    if (step !== undefined) editing.open(step)
  })
  return (
    <>
      {(!isGrowing || steps.length > 0) && (
        <StepPanel query={query} count={steps.length} isGrowing={isGrowing} action={<EditAllLink id={module.id} />}>
          <StepRows
            editing={editing}
            currentId={currentId}
            onJump={onJump}
            renderEditor={(entry, number) => (
              <LiveStepEditor
                key={entry.base.id}
                moduleId={module.id}
                {...{ entry, number, durationS, playhead, editing }}
              />
            )}
          />
        </StepPanel>
      )}
      <AddStepForm playhead={playhead} durationS={durationS} onAdd={add} />
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
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
