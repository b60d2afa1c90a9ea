import {
  type UseQueryResult,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  usePrefetchQuery,
  useQuery,
} from '@tanstack/react-query'
import { Layers, Plus } from 'lucide-react'
import { memo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { FeedbackStatsCard } from '#web/features/feedback/feedback-stats-card.tsx'
import { feedbackStatsQuery } from '#web/features/feedback/feedback-stats-query.ts'
import { EmptyLibrary, ModuleSkeletons, NoOwnModules } from '#web/features/module/library-states.tsx'
import { ModuleLibrary } from '#web/features/module/module-library.tsx'
import { modulePagesQuery, openedQuery } from '#web/features/module/module-queries.ts'
import { OpenedTrainings } from '#web/features/module/opened-trainings.tsx'
import { RecentlyDeleted } from '#web/features/module/recently-deleted.tsx'
import { QuestionsDigest } from '#web/features/questions/questions-digest.tsx'
import { ShareDialog } from '#web/features/share/share-dialog.tsx'
import { SampleButton } from '#web/features/upload/sample-button.tsx'
import { SmallCopies } from '#web/features/upload/small-copy/small-copies.tsx'
import { SpeechPreparation } from '#web/features/upload/speech-preparation.tsx'
import { ReviewsDue } from '#web/features/versions/reviews-due.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Skeleton, useSlowLoading } from '#web/ui/loading.tsx'
import { DASHBOARD_FRAME, DashboardHeading } from '../shared/dashboard-heading.tsx'
import { renderShareWarnings } from '../shared/share-warnings.tsx'

export function DashboardPage() {
  const [toShare, setToShare] = useState<Module | null>(null)
  usePageTitle(m.dashboard_link())
  return (
    <div className={`${DASHBOARD_FRAME} flex-1`}>
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <DashboardHeading />
        {/* Comes late, so it stands where nothing else has to move. */}
        <div className="flex flex-wrap items-center gap-2 sm:flex-row-reverse">
          <ButtonLink to="/upload">
            <Plus aria-hidden="true" className="size-4" />
            {m.upload_new_module()}
          </ButtonLink>
          <ButtonLink to="/collections" variant="secondary">
            <Layers aria-hidden="true" className="size-4" />
            {m.collections()}
          </ButtonLink>
          <RecentlyDeleted />
          <SmallCopies />
        </div>
      </div>
      <SpeechPreparation className="mb-8" />
      <DashboardContent onShare={setToShare} />
      <ShareDialog module={toShare} renderWarnings={renderShareWarnings} onClose={() => setToShare(null)} />
    </div>
  )
}

/**
 * Waits for the trainings that were opened, which stand first: what is below them does not move when they come. A
 * dialog that opens does not draw the list again.
 */
const DashboardContent = memo(function DashboardContent({ onShare }: { onShare: (module: Module) => void }) {
  const navigate = useNavigate()
  const callApi = useApi()
  const opened = useQuery(openedQuery(callApi))
  usePrefetchQuery(feedbackStatsQuery(callApi))
  usePrefetchInfiniteQuery(modulePagesQuery(callApi, ''))
  // The library loads and refreshes them.
  const modules = useInfiniteQuery({ ...modulePagesQuery(callApi, ''), enabled: false })
  const isUnknown = isAwaited(opened)
  const isSlow = useSlowLoading(isUnknown)
  if (isUnknown && !isSlow) {
    return (
      <>
        <FiguresSkeleton />
        <ModuleSkeletons />
      </>
    )
  }
  const trySample = <SampleButton onSending={() => navigate('/upload')} />
  const { modules: openedModules = [], edited = [] } = opened.data ?? {}
  const isLearner = openedModules.length + edited.length > 0
  const library = (
    <ModuleLibrary
      key="library"
      empty={isLearner ? <NoOwnModules trySample={trySample} /> : <EmptyLibrary trySample={trySample} />}
      onShare={onShare}
    />
  )
  // Until there is a module, the figures are zeros, and the way to a first one comes before them.
  const isNew = modules.data?.pages.every((page) => page.modules.length === 0) ?? false
  return (
    <>
      <OpenedTrainings query={opened} />
      {isNew
        ? [library, <FeedbackStatsCard key="figures" className="mt-8" />]
        : [
            isAwaited(modules) ? (
              <FiguresSkeleton key="awaited" />
            ) : (
              <FeedbackStatsCard key="figures" className="mb-8" />
            ),
            <ReviewsDue key="reviews" className="mb-8" />,
            <QuestionsDigest key="digest" className="mb-8" />,
            library,
          ]}
    </>
  )
})

/** Whether a first answer is to come soon. */
function isAwaited(query: Pick<UseQueryResult, 'isPending' | 'isPaused' | 'failureCount'>): boolean {
  return query.isPending && !query.isPaused && query.failureCount === 0
}

function FiguresSkeleton() {
  return <Skeleton className="mb-8 h-40 rounded-card" />
}
