import type { UseQueryResult } from '@tanstack/react-query'
import type { Step, StepsAnswer } from '#contract/step.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { useLiveEditing } from '#web/features/step-editor/use-live-editing.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { useModuleSaves } from './use-module-saves.ts'
import { useReloadModule } from './use-reload-module.ts'

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
    return (await saves.push({ change: { kind: 'replace', ids: [id], by: [edit(step)] } })).kind === 'saved'
  }
  return { saves, editing, add, editStep }
}

export type OwnedSteps = ReturnType<typeof useOwnedSteps>
