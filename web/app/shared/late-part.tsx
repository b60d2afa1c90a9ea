import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import * as m from '#messages'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'

interface LatePartProps {
  /** Name of the part in the message that it could not be loaded. */
  what: string
  /** Shown while loading, with the height of the loaded part. */
  skeleton: ReactNode
  children: ReactNode
}

/** A part of a page whose code loads after the essential parts. The page works without it. */
export function LatePart({ what, skeleton, children }: LatePartProps) {
  return (
    <ErrorBoundary
      onReset={forgetFailedParts}
      fallbackRender={({ resetErrorBoundary }) => (
        <PartMissing what={what} isBusy={false} onRetry={resetErrorBoundary} />
      )}
    >
      <Suspense fallback={skeleton}>{children}</Suspense>
    </ErrorBoundary>
  )
}

export function PartMissing({ what, ...retry }: { what: string; isBusy: boolean; onRetry: () => void }) {
  return (
    <Card className="px-4 py-3">
      <LoadFailure message={m.failed_to_load_what({ what })} retryLabel={m.load_what_again({ what })} {...retry} />
    </Card>
  )
}

export function PanelSkeleton({ className }: { className: string }) {
  return (
    <Card className="p-4 sm:p-5">
      <Skeleton className={className} />
    </Card>
  )
}
