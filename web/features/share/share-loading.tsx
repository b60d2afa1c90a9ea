import { TriangleAlert } from 'lucide-react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Holds the place of a shared training while it is loaded. */
export function ShareSkeleton() {
  return (
    <div className="mx-auto w-full max-w-6xl sm:px-6 sm:py-6">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1.65fr)_minmax(20rem,1fr)]">
        <Skeleton className="aspect-video w-full sm:rounded-card" />
        <div className="grid content-start gap-2.5 px-4 sm:px-0">
          {['first', 'second', 'third'].map((place) => (
            <Skeleton key={place} className="h-24 rounded-card" />
          ))}
          <StillLoading what={m.this_training()} />
        </div>
      </div>
    </div>
  )
}

/** A server that did not answer. */
export function ShareFailed({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <Notice
      icon={TriangleAlert}
      tone="danger"
      role="alert"
      title={m.something_is_not_right()}
      actions={
        <Button isBusy={isRetrying} onClick={onRetry}>
          {m.try_again_button()}
        </Button>
      }
    >
      <p>{m.could_not_load_training_module()}</p>
    </Notice>
  )
}
