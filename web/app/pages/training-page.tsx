import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { isMendedByCaptions } from '#contract/module.ts'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { chooseView } from '#web/features/training/choose-view.ts'
import { FailedView } from '#web/features/training/failed-view.tsx'
import { FoundSoFar } from '#web/features/training/found-so-far.tsx'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { ProcessingView } from '#web/features/training/processing-view.tsx'
import { TrainingLayout } from '#web/features/training/training-layout.tsx'
import { TrainingSkeleton } from '#web/features/training/training-skeleton.tsx'
import { AddCaptions } from '#web/features/transcript/add-captions.tsx'
import { ApiError } from '#web/lib/api.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { TrainingWorkspace } from './training-workspace.tsx'
import { useTrainingUpdates } from './use-training-updates.ts'

/** `/training/{moduleId}`, from the minute of the upload to the finished training. */
export function TrainingPage() {
  const { moduleId = '' } = useParams()
  return <TrainingModule key={moduleId} moduleId={moduleId} />
}

function TrainingModule({ moduleId }: { moduleId: string }) {
  const callApi = useApi()
  const query = useQuery(moduleQuery(callApi, moduleId))
  const [isExpectingSteps, setIsExpectingSteps] = useProcessingParam()
  const announcement = useTrainingUpdates(moduleId, query.data)
  usePageTitle(query.data?.title ?? 'Training')

  const status = query.data?.status
  useEffect(() => {
    if (status !== undefined && status !== 'PROCESSING' && isExpectingSteps) setIsExpectingSteps(false)
  })

  const isGone = query.error instanceof ApiError && query.error.code === 'not_found'
  const view = chooseView({ module: query.data, hasFailedToLoad: query.isError, isGone, isExpectingSteps })
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <OfflineBanner />
      {view === 'loading' && <TrainingSkeleton />}
      {view === 'unavailable' && query.error !== null && (
        <ModuleUnavailable error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
      )}
      {view === 'processing' && (
        <TrainingLayout width="narrow" title={query.data?.title ?? 'New training'}>
          <ProcessingView
            progress={query.data?.progress ?? 0}
            message={query.data?.message ?? ''}
            onCheckAgain={() => query.refetch()}
          >
            <FoundSoFar steps={query.data?.steps ?? []} />
          </ProcessingView>
        </TrainingLayout>
      )}
      {view === 'failed' && query.data && (
        <TrainingLayout width="narrow" title={query.data.title}>
          <FailedTraining module={query.data} onMended={() => setIsExpectingSteps(true)} />
        </TrainingLayout>
      )}
      {view === 'workspace' && query.data && (
        <TrainingLayout title={query.data.title}>
          <TrainingWorkspace module={query.data} />
        </TrainingLayout>
      )}
    </>
  )
}

/** `processing=true` in the address: set by the upload page, taken away at the end so that a reload shows the truth. */
function useProcessingParam() {
  const [params, setParams] = useSearchParams()
  function setProcessing(isProcessing: boolean) {
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (isProcessing) next.set('processing', 'true')
        else next.delete('processing')
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [params.get('processing') === 'true', setProcessing] as const
}

function FailedTraining({ module, onMended }: { module: LoadedModule; onMended: () => void }) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const canMend = module.role === 'owner' && isMendedByCaptions(module.failureCode)

  function showProcessing() {
    const { queryKey } = moduleQuery(callApi, module.id)
    queryClient.setQueryData(queryKey, {
      ...module,
      status: 'PROCESSING',
      progress: 0,
      message: 'Reading the captions',
    })
    onMended()
    void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <FailedView
      module={module}
      renderRemedy={
        canMend
          ? (otherActions) => (
              <AddCaptions moduleId={module.id} onAdded={showProcessing}>
                {otherActions}
              </AddCaptions>
            )
          : undefined
      }
    />
  )
}
