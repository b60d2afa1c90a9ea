import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { shareQuery } from '#web/features/share/share-query.ts'
import { ShareNotAvailable, SharePreparing, ShareProblem, ShareSkeleton } from '#web/features/share/share-states.tsx'
import { useApi } from '#web/lib/api-context.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { ShareBar } from './share-bar.tsx'
import { SharedTraining } from './shared-training.tsx'
import { useShareUpdates } from './use-share-updates.ts'

/** `/share/{moduleId}`: for anyone with the link, without an account. */
export function SharePage() {
  const { moduleId = '' } = useParams()
  return (
    <main className="flex-1">
      <OfflineBanner />
      <SharedModule key={moduleId} moduleId={moduleId} />
    </main>
  )
}

function SharedModule({ moduleId }: { moduleId: string }) {
  const query = useQuery(shareQuery(useApi(), moduleId))
  const module = query.data
  useShareUpdates(moduleId, module !== undefined)
  usePageTitle(module?.title ?? (query.isError ? 'Not available' : 'Training'))

  if (module === undefined) {
    if (!query.isError) return <ShareSkeleton />
    const problem = <ShareProblem error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
    return <Alone>{problem}</Alone>
  }
  if (module.steps.length === 0) {
    if (module.status === 'FAILED') {
      return (
        <Alone>
          <ShareNotAvailable title={module.title} />
        </Alone>
      )
    }
    if (module.status === 'PROCESSING' && !module.hasVideo) {
      return (
        <Alone>
          <SharePreparing module={module} />
        </Alone>
      )
    }
  }
  return <SharedTraining module={module} />
}

/** A state that is not the training, under the same bar. */
function Alone({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-3 lg:px-6 lg:pt-5">
      <ShareBar />
      {children}
    </div>
  )
}
