import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { LatePart, PanelSkeleton } from './late-part.tsx'
import type { OwnedSteps } from './use-owned-steps.ts'

const QuestionsPanel = lazyPart(
  async () => (await import('#web/features/questions/questions-panel.tsx')).QuestionsPanel,
)

interface TrainingQuestionsProps {
  module: LoadedModule
  playhead: Playhead
  owned: OwnedSteps
}

/** What learners have asked, and what its owner makes of it. */
export function TrainingQuestions({ module, playhead, owned }: TrainingQuestionsProps) {
  const { saves, add, editStep } = owned
  if (!module.hasVideo) return null
  return (
    <LatePart what="the questions" skeleton={<PanelSkeleton className="h-17" />}>
      <QuestionsPanel
        moduleId={module.id}
        steps={saves.steps}
        editStep={editStep}
        onPlay={(seconds) => playhead.preview(seconds, Number.POSITIVE_INFINITY)}
        renderStepForm={(proposal, on) => (
          <AddStepForm
            {...{ playhead, proposal }}
            durationS={module.totalDuration}
            onCancel={on.cancel}
            onAdd={async (step) => {
              const isAdded = await add(step)
              if (isAdded) on.added()
              return isAdded
            }}
          />
        )}
      />
    </LatePart>
  )
}
