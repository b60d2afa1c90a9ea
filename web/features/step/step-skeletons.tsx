import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a list of steps while it loads. */
export function StepSkeletons() {
  return ['first', 'second', 'third'].map((place) => (
    <Card key={place} className="flex gap-4 p-4">
      <Skeleton className="size-8 rounded-full" />
      <div className="flex-1 space-y-2.5 pt-1.5">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-3 w-4/5" />
      </div>
    </Card>
  ))
}
