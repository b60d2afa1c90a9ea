import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { UNPUBLISHED } from '#contract/module.ts'
import type { VersionsAnswer } from '#contract/version.ts'
import * as m from '#messages'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { PublishDialog } from '#web/features/versions/publish-dialog.tsx'
import { PublishingRulesCard } from '#web/features/versions/publishing-rules.tsx'
import { ReviewNote } from '#web/features/versions/review-note.tsx'
import { ReviewSchedule } from '#web/features/versions/review-schedule.tsx'
import { VersionComparison } from '#web/features/versions/version-comparison.tsx'
import { VersionList } from '#web/features/versions/version-list.tsx'
import { versionsQuery } from '#web/features/versions/versions-query.ts'
import { VersionsSwitch } from '#web/features/versions/versions-switch.tsx'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'
import { TrainingSubpage } from '../shared/training-subpage.tsx'

/** `/training/{moduleId}/versions`: whether learners see published versions, all of them, and what differs. */
export function VersionsPage() {
  return (
    <TrainingSubpage title={m.published_versions()} isForEditors skeleton={<VersionsSkeleton />}>
      {(module) => <ModuleVersions module={module} />}
    </TrainingSubpage>
  )
}

function VersionsSkeleton() {
  return (
    <>
      <Skeleton className="mt-6 h-60 rounded-card" />
      <StillLoading what={m.the_versions()} />
    </>
  )
}

function ModuleVersions({ module }: { module: LoadedModule }) {
  const { id: moduleId, posterUrl, stepsVersion } = module
  const { data, error, isFetching, refetch } = useQuery(versionsQuery(useApi(), moduleId))
  if (data === undefined && error !== null)
    return (
      <ListFailed title={m.failed_to_load_the_versions()} error={error} isBusy={isFetching} onRetry={() => refetch()} />
    )
  if (data === undefined) return <VersionsSkeleton />
  const { published, versions } = data
  return (
    <div className="mt-6 grid grid-cols-1 gap-6">
      <Publishing {...{ module, versions: data }} />
      {versions.length > 0 && (
        <Card className="px-4 py-2 sm:px-5">
          <VersionList
            {...{ moduleId, posterUrl, versions, published, stepsVersion }}
            mayRestore={module.role === 'owner'}
          />
        </Card>
      )}
      {module.organization === 'active' && <PublishingRulesCard moduleId={module.id} />}
      {versions.length > 0 && (
        <Card className="p-4 sm:p-5">
          <h2 className="mb-3 font-semibold">{m.compare_versions()}</h2>
          <VersionComparison key={versions.length} {...{ moduleId, posterUrl, versions }} />
        </Card>
      )}
    </div>
  )
}

function Publishing({ module, versions }: { module: LoadedModule; versions: VersionsAnswer }) {
  const { published, mayPublish, publishers, review } = versions
  const [isPublishing, setIsPublishing] = useState(false)
  // What is asked for is reviewed from there.
  const isAsked = mayPublish && review?.sentBack === null
  const isReady = module.status === 'READY'
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <VersionsSwitch moduleId={module.id} isReady={isReady} versions={versions} />
      {published !== null && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
            <p className="min-w-0 flex-1 basis-52 text-sm font-medium">
              {published === UNPUBLISHED ? m.only_owners_see_it_yet() : m.learners_see_version({ number: published })}
            </p>
            {!isAsked && (
              <Button size="small" disabled={!isReady} onClick={() => setIsPublishing(true)}>
                <Send aria-hidden="true" className="size-4" />
                {mayPublish ? m.publish_draft() : m.ask_for_release_action()}
              </Button>
            )}
          </div>
          {review && <ReviewNote {...{ review, mayPublish, isReady }} onReview={() => setIsPublishing(true)} />}
          {published !== UNPUBLISHED && <ReviewSchedule moduleId={module.id} {...{ published, versions }} />}
          <PublishDialog
            task={!mayPublish ? 'ask' : publishers === 'anyone' ? 'publish' : 'sign'}
            review={review}
            moduleId={module.id}
            posterUrl={module.posterUrl}
            published={published}
            isOpen={isPublishing}
            onClose={() => setIsPublishing(false)}
          />
        </>
      )}
    </Card>
  )
}
