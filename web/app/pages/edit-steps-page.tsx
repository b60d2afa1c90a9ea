import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useParams } from 'react-router-dom'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { useApi } from '#web/lib/api-context.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { trainingPath } from '../paths.ts'
import { EditStepsSkeleton } from './edit-steps-layout.tsx'
import { EditStepsWorkspace } from './edit-steps-workspace.tsx'
import { useTrainingUpdates } from './use-training-updates.ts'

/** `/edit-steps/{moduleId}`: all steps of a module, changed together and saved at once. */
export function EditStepsPage() {
  const { moduleId = '' } = useParams()
  return <EditedModule key={moduleId} moduleId={moduleId} />
}

function EditedModule({ moduleId }: { moduleId: string }) {
  const callApi = useApi()
  const query = useQuery(moduleQuery(callApi, moduleId))
  const module = query.data
  const isOwner = module?.role === 'owner'
  const steps = useQuery({ ...stepsQuery(callApi, moduleId), enabled: isOwner })
  const announcement = useTrainingUpdates(moduleId, module)
  usePageTitle(module === undefined ? 'Edit steps' : `Edit steps: ${module.title}`)
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <OfflineBanner />
      {query.isError && module === undefined && (
        <ModuleUnavailable error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <EditStepsSkeleton />}
      {module && !isOwner && <OwnersOnly moduleId={moduleId} />}
      {module &&
        isOwner &&
        (steps.isPending ? <EditStepsSkeleton /> : <EditStepsWorkspace module={module} query={steps} />)}
    </>
  )
}

function OwnersOnly({ moduleId }: { moduleId: string }) {
  return (
    <Notice
      icon={Lock}
      title="Only its owner can edit these steps"
      actions={<ButtonLink to={trainingPath(moduleId)}>Back to the training</ButtonLink>}
    >
      <p>You can watch this training and follow its steps.</p>
    </Notice>
  )
}
