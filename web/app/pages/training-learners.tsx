import type { LoadedModule } from '#web/features/training/module-query.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { LatePart, PanelSkeleton } from './late-part.tsx'

const MetricsPanel = lazyPart(
  async () => (await import('#web/features/learning-metrics/metrics-panel.tsx')).MetricsPanel,
)

/** Who has watched the module, for its owner. */
export function TrainingLearners({
  module,
}: {
  module: Pick<LoadedModule, 'id' | 'role' | 'hasVideo' | 'totalDuration'>
}) {
  if (module.role !== 'owner' || !module.hasVideo) return null
  return (
    <LatePart what="learners" skeleton={<PanelSkeleton className="h-29" />}>
      <MetricsPanel moduleId={module.id} durationS={module.totalDuration} />
    </LatePart>
  )
}
