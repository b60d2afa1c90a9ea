import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { UNPUBLISHED } from '#contract/module.ts'
import * as m from '#messages'
import { screenQuery } from '#web/features/screen/screen-query.ts'
import { VisibleSecrets } from '#web/features/screen/visible-secrets.tsx'
import type { RenderShareWarnings } from '#web/features/share/share-dialog.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { useApi } from '#web/lib/api.ts'
import { trainingPath, versionsPath } from './paths.ts'

/** For the share dialog, which knows nothing of versions, screens and steps. */
export const renderShareWarnings: RenderShareWarnings = ({ id, publishedVersion }, close) => (
  <>
    {publishedVersion === UNPUBLISHED && <UnpublishedWarning moduleId={id} onLeave={close} />}
    <ShareWarnings moduleId={id} onLeave={close} />
  </>
)

interface WarningProps {
  moduleId: string
  onLeave: () => void
}

/** Nobody opens the link of a training before its first version. */
function UnpublishedWarning({ moduleId, onLeave }: WarningProps) {
  return (
    <p className="rounded-card bg-warn-soft p-4 text-sm text-warn-ink">
      {m.only_owners_see_it_yet()}{' '}
      <Link
        to={versionsPath(moduleId)}
        onClick={onLeave}
        className="rounded-chip font-medium underline underline-offset-2"
      >
        {m.published_versions()}
      </Link>
    </p>
  )
}

/** What the owner of a training should look at before sharing it; nothing where there is nothing, or it cannot be loaded. */
function ShareWarnings({ moduleId, onLeave }: WarningProps) {
  const callApi = useApi()
  const { data } = useQuery(screenQuery(callApi, moduleId))
  const secrets = data?.reading?.secrets ?? []
  const steps = useQuery({ ...stepsQuery(callApi, moduleId), enabled: secrets.length > 0 })
  return (
    <VisibleSecrets
      secrets={secrets}
      steps={steps.data?.steps ?? []}
      trainingUrl={trainingPath(moduleId)}
      onLeave={onLeave}
    />
  )
}
