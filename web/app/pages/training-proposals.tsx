import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Step } from '#contract/step.ts'
import { ProposalPanel } from '#web/features/proposal/proposal-panel.tsx'
import { proposalsQuery } from '#web/features/proposal/proposals-query.ts'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { replaceQueryData } from '#web/lib/query-client.ts'
import { PartMissing } from './late-part.tsx'

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
