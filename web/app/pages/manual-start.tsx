import type { UseQueryResult } from '@tanstack/react-query'
import { isRecoverableByCaptions } from '#contract/module.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import { ConflictDialog } from '#web/features/step-editor/conflict-dialog.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { VideoPlace } from '#web/features/training/training-layout.tsx'
import { TrainingVideo } from './training-video.tsx'
import { useModuleSaves } from './use-module-saves.ts'
import { useReloadModule } from './use-reload-module.ts'
import { useTrainingVideo } from './use-training-video.ts'

const NO_STEPS: readonly Step[] = []

interface ManualStartProps {
  module: LoadedModule
  query: UseQueryResult<StepsAnswer>
}

/** Whether a failed module can still be made by hand: only its words are missing, and it is the caller's. */
export function canStartByHand({ role, failureCode, hasVideo }: LoadedModule): boolean {
  return role === 'owner' && hasVideo && isRecoverableByCaptions(failureCode)
}

/** The other way out of a failure: the first step that a person writes makes the module a training. */
export function ManualStart({ module, query }: ManualStartProps) {
  const { player, videoPlace, playhead, onTimeChange } = useTrainingVideo({
    hasVideo: module.hasVideo,
    steps: NO_STEPS,
  })
  const saves = useModuleSaves(module.id, query)
  const reloadModule = useReloadModule(module.id)
  async function add(step: Step): Promise<boolean> {
    const isAdded = (await saves.push({ change: { kind: 'insert', steps: [step] } })).kind === 'saved'
    if (isAdded) await reloadModule()
    return isAdded
  }
  return (
    <div className="mt-6 grid gap-6">
      <p className="text-center text-sm text-ink-soft">
        Or write the steps yourself while you watch. The first one opens the training.
      </p>
      <VideoPlace ref={videoPlace}>
        <TrainingVideo ref={player} module={module} onTimeChange={onTimeChange} />
      </VideoPlace>
      <AddStepForm playhead={playhead} durationS={module.totalDuration} onAdd={add} />
      <ConflictDialog conflict={saves.conflict} onChoose={saves.choose} />
    </div>
  )
}
