import { useQuery } from '@tanstack/react-query'
import { screenQuery } from '#web/features/screen/screen-query.ts'
import { VisibleSecrets } from '#web/features/screen/visible-secrets.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { useApi } from '#web/lib/api.ts'
import { trainingPath } from './paths.ts'

/** For the share dialog, which knows nothing of screens and steps. */
export const renderShareWarnings = (moduleId: string) => <ShareWarnings moduleId={moduleId} />

/** What the owner of a training should look at before sharing it; nothing where there is nothing, or it cannot be loaded. */
function ShareWarnings({ moduleId }: { moduleId: string }) {
  const callApi = useApi()
  const { data } = useQuery(screenQuery(callApi, moduleId))
  const secrets = data?.reading?.secrets ?? []
  const steps = useQuery({ ...stepsQuery(callApi, moduleId), enabled: secrets.length > 0 })
  return <VisibleSecrets secrets={secrets} steps={steps.data?.steps ?? []} trainingUrl={trainingPath(moduleId)} />
}
