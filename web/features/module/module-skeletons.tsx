import { useSlowLoading } from '#web/lib/use-slow-loading.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const PLACES = [1, 2, 3, 4, 5, 6]

/** The library's shape while it loads. */
export function ModuleSkeletons() {
  const isSlow = useSlowLoading(true)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex justify-between gap-3">
        <Skeleton className="h-10 w-full max-w-sm" />
        <Skeleton className="h-10 w-40" />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {PLACES.map((place) => (
          <Card key={place} className="flex flex-col overflow-hidden">
            <Skeleton className="aspect-2/1 rounded-none" />
            <div className="p-5">
              <div className="flex justify-between">
                <Skeleton className="h-6 w-20 rounded-full" />
                <Skeleton className="h-5 w-24" />
              </div>
              <Skeleton className="mt-4 h-6 w-3/4" />
            </div>
            <div className="flex flex-wrap gap-2 border-t border-line px-5 py-3">
              <Skeleton className="h-8 basis-full" />
              <Skeleton className="h-8 w-22" />
              <Skeleton className="h-8 w-20" />
              <Skeleton className="ml-auto h-8 w-22" />
            </div>
          </Card>
        ))}
      </div>
      <p role="status" className="text-center text-sm text-ink-soft">
        {isSlow ? 'Still loading your modules…' : <span className="sr-only">Loading your modules</span>}
      </p>
    </div>
  )
}
