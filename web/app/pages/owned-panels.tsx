import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Step } from '#contract/step.ts'
import { ProposalPanel, proposalsQuery } from '#web/features/proposal/proposal-panel.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { AddStepForm } from '#web/features/step-editor/add-step-form.tsx'
import type { Playhead } from '#web/features/step-editor/playhead.ts'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { replaceQueryData } from '#web/lib/query-client.ts'
import { LatePart, PanelSkeleton, PartMissing } from './late-part.tsx'
import type { OwnedSteps } from './owned-steps.tsx'

const NONE: readonly Step[] = []

/** What a new run offers its owner beside the steps. */
export function TrainingProposals({
  module,
  steps = NONE,
}: {
  module: LoadedModule
  steps?: readonly Step[] | undefined
}) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const isAsked = module.role === 'owner' && module.status === 'READY'
  const { data, isLoadingError, isFetching, refetch } = useQuery({
    ...proposalsQuery(callApi, module.id),
    enabled: isAsked,
  })
  if (!isAsked) return null
  if (isLoadingError) {
    return (
      <PartMissing
        message="Failed to load proposed changes"
        retryLabel="Load proposed changes again"
        isBusy={isFetching}
        onRetry={() => refetch()}
      />
    )
  }
  if (data === undefined) return null
  return (
    <ProposalPanel
      moduleId={module.id}
      proposals={data}
      steps={steps}
      onSteps={(answer) => {
        void replaceQueryData(queryClient, stepsQuery(callApi, module.id).queryKey, () => answer)
        void queryClient.invalidateQueries({ queryKey: moduleQuery(callApi, module.id).queryKey })
      }}
    />
  )
}

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

const MetricsPanel = lazyPart(
  async () => (await import('#web/features/learning-metrics/metrics-panel.tsx')).MetricsPanel,
)

/** Who has watched the module, for its owner. */
export function TrainingLearners({
  module,
}: {
  module: Pick<LoadedModule, 'id' | 'role' | 'hasVideo' | 'totalDuration'>
}) {
  if (module.role !== 'owner' || !module.hasVideo) return null
  return (
    <LatePart what="learners" skeleton={<PanelSkeleton className="h-29" />}>
      <MetricsPanel moduleId={module.id} durationS={module.totalDuration} />
    </LatePart>
  )
}
