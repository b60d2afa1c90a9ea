import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { useStepSummary } from '#web/features/step/use-step-summary.ts'
import { chooseView } from '#web/features/training/choose-view.ts'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleTitle } from '#web/features/training/module-title.tsx'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { TrainingLayout } from '#web/features/training/training-layout.tsx'
import { TrainingSkeleton } from '#web/features/training/training-skeleton.tsx'
import { usePace } from '#web/features/training/use-pace.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { AwaitedTraining } from './awaited-training.tsx'
import { FailedTraining } from './failed-training.tsx'
import { canStartByHand, ManualStart } from './manual-start.tsx'
import { TrainingStatus } from './training-status.tsx'
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
  const module = query.data
  const steps = useQuery({ ...stepsQuery(callApi, moduleId), enabled: mayHaveSteps(module) })
  const stepCount = steps.data?.steps.length ?? module?.steps.length ?? 0
  const [isExpectingSteps, setIsExpectingSteps] = useProcessingParam()
  const isProcessing = module === undefined ? isExpectingSteps : module.status === 'PROCESSING'
  // The minutes that a large file is on its way say nothing about the processing.
  const pace = usePace({ isProcessing: isProcessing && module?.hasVideo !== false })
  const announcement = useTrainingUpdates(moduleId, module)
  const summary = useStepSummary(isProcessing ? stepCount : null)
  usePageTitle(module?.title ?? 'Training')

  const isExpectationMet = module !== undefined && (!isProcessing || stepCount > 0)
  useEffect(() => {
    if (isExpectationMet && isExpectingSteps) setIsExpectingSteps(false)
  })

  const isGone = query.error instanceof ApiError && query.error.code === 'not_found'
  const view = chooseView({ module, stepCount, hasFailedToLoad: query.isError, isGone, isExpectingSteps })
  const onRecovered = () => setIsExpectingSteps(true)
  const onCheckAgain = () => query.refetch()
  return (
    <>
      <p role="status" className="sr-only">
        {summary || announcement}
      </p>
      <OfflineBanner />
      {view === 'loading' && <TrainingSkeleton />}
      {view === 'unavailable' && query.error !== null && (
        <ModuleUnavailable error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
      )}
      {view === 'awaited' && <AwaitedTraining pace={pace} onCheckAgain={onCheckAgain} />}
      {view === 'failed' && module && (
        <TrainingLayout width="narrow" title={module.title} heading={<ModuleTitle module={module} />}>
          <FailedTraining look="whole" module={module} onRecovered={onRecovered} />
          {canStartByHand(module) && <ManualStart module={module} query={steps} />}
        </TrainingLayout>
      )}
      {view === 'workspace' && module && (
        <TrainingLayout title={module.title} heading={<ModuleTitle module={module} />}>
          <TrainingWorkspace
            module={module}
            steps={steps}
            stepCount={stepCount}
            status={
              <TrainingStatus
                {...{ module, stepCount, onRecovered, onCheckAgain }}
                pace={module.hasVideo ? pace : 'uploading'}
              />
            }
          />
        </TrainingLayout>
      )}
    </>
  )
}

/** Asking earlier would only be answered that there are none yet. */
function mayHaveSteps(module: LoadedModule | undefined): boolean {
  if (module === undefined) return false
  const { status, stepsVersion, steps } = module
  return status === 'READY' || steps.length > 0 || (status === 'PROCESSING' && stepsVersion > 0)
}

/** `processing=true` in the address: set by the upload page, taken away with the first step or the end. */
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
