import { Skeleton } from '#web/ui/skeleton.tsx'
import { StillLoading } from '#web/ui/still-loading.tsx'
import { CompanySkeleton, TrainingLayout, TwoColumns } from './training-layout.tsx'

export function TrainingSkeleton() {
  return (
    <TrainingLayout
      title={
        <>
          <span className="sr-only">Loading training</span>
          <Skeleton className="h-9 w-64 max-w-full" />
        </>
      }
    >
      <TwoColumns
        video={<Skeleton className="aspect-video w-full rounded-card" />}
        main={
          <>
            <StillLoading what="this training" />
            <Skeleton className="h-40 w-full rounded-card" />
          </>
        }
        company={<CompanySkeleton />}
      />
    </TrainingLayout>
  )
}
