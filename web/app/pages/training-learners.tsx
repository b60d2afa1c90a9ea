import { Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const MetricsPanel = lazyPart(
  async () => (await import('#web/features/learning-metrics/metrics-panel.tsx')).MetricsPanel,
)

/** Who has watched the module, for its owner. Loaded after what everybody needs, and missed by nobody where it cannot be. */
export function TrainingLearners({
  module,
}: {
  module: Pick<LoadedModule, 'id' | 'role' | 'hasVideo' | 'totalDuration'>
}) {
  if (module.role !== 'owner' || !module.hasVideo) return null
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={<PanelSkeleton />}>
        <MetricsPanel moduleId={module.id} durationS={module.totalDuration} />
      </Suspense>
    </ErrorBoundary>
  )
}

function PanelSkeleton() {
  return (
    <Card className="p-4 sm:p-5">
      <Skeleton className="h-29" />
    </Card>
  )
}
